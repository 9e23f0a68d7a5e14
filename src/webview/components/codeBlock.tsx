import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { t } from '../state/texts.ts';
import { HighlightedCode } from './highlightedCode.tsx';
import { IconButton } from './iconButton.tsx';
import { usePage } from './pageContext.ts';

export interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** It goes on where it was cut off: half of it is not for use. */
  readonly isCut: boolean;
}

/** Code, with what one does with code. */
export const CodeBlock = memo(function CodeBlock({ code, language, isCut }: CodeBlockProps): JSX.Element {
  const { host } = usePage();
  return (
    <div class="block code-block">
      <div class="code-head">
        <span class="code-language">{language}</span>
        {!isCut && (
          <span class="code-actions">
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
      <pre tabIndex={0} dir="ltr">
        <HighlightedCode code={code} language={language} />
      </pre>
    </div>
  );
});
