import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useMemo } from 'preact/hooks';
import { hasHiddenCharacters } from '../../protocol/hiddenCharacters.ts';
import { t } from '../state/texts.ts';
import { AnsiText } from './ansiText.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { HighlightedCode } from './highlightedCode.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';
import { usePage } from './pageContext.ts';

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** The file it is for, if given. */
  readonly file?: string;
  /** With its terminal codes, if it has any. */
  readonly ansi?: string;
  /** The block was cut off: an incomplete one must not be used. */
  readonly isCut: boolean;
}

/** Code, with buttons to copy and apply it. */
export const CodeBlock = memo(function CodeBlock(props: CodeBlockProps): JSX.Element {
  const { code, language, file, ansi, isCut } = props;
  const { host } = usePage();
  const hides = useMemo(() => hasHiddenCharacters(code), [code]);
  return (
    <div class="block code-block">
      <div class="code-head">
        {file === undefined ? (
          <span class="code-language">
            <HiddenMarked text={language} />
          </span>
        ) : (
          <FileName name={file} />
        )}
        {!isCut && (
          <span class="code-actions">
            <IconButton
              icon="diff"
              label={t('Apply as diff')}
              onClick={() =>
                host.send({ type: 'applyCode', code, language, ...(file === undefined ? {} : { file }) })
              }
            />
            <IconButton
              icon="insert"
              label={t('Insert at cursor')}
              onClick={() => host.send({ type: 'insertText', text: code })}
            />
            <IconButton
              icon="copy"
              label={t('Copy code')}
              onClick={() => host.send({ type: 'copyText', text: code })}
            />
          </span>
        )}
      </div>
      {hides && (
        <p class="code-warning" role="note">
          <Icon name="warning" />
          {t('Contains hidden characters. They are copied and inserted too.')}
        </p>
      )}
      <pre tabIndex={0} dir="ltr">
        {ansi === undefined ? (
          <HighlightedCode code={code} language={language} />
        ) : (
          <code>
            <AnsiText text={ansi} />
          </code>
        )}
      </pre>
    </div>
  );
});

/** The file that code is for: a link with its real path if the file exists. */
function FileName({ name }: { name: string }): JSX.Element {
  const { files } = usePage();
  const file = files.known.value.get(name);
  useEffect(() => files.want([name]), [name]);
  return file ? (
    <span class="code-language file-link" role="link" tabIndex={0} data-href={name} title={file.trueName}>
      {file.trueName}
    </span>
  ) : (
    <span class="code-language">
      <HiddenMarked text={name} />
    </span>
  );
}
