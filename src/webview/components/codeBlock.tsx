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
  /** The file it is for, where it says so. */
  readonly file?: string;
  /** With its codes for terminals, where it has some. */
  readonly ansi?: string;
  /** It goes on where it was cut off: half of it is not for use. */
  readonly isCut: boolean;
}

/** Code, with what one does with code. */
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

/** The file that code is for: a link with its real path where there is such a file. */
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
