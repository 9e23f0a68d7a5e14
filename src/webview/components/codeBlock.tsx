import type { JSX } from 'preact';
import { usePage } from './pageContext.ts';
import { t } from '../state/texts.ts';
import { IconButton } from './iconButton.tsx';

export interface CodeBlockProps {
  /** What is shown. */
  readonly code: string;
  /** What is copied. */
  readonly whole: string;
  readonly language: string;
}

/** Code, with what one does with code. */
export function CodeBlock({ code, whole, language }: CodeBlockProps): JSX.Element {
  const { host } = usePage();
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="code-language">{language}</span>
        <span class="code-actions">
          <IconButton
            icon="insert"
            label={t('Insert at cursor')}
            onClick={() => host.send({ type: 'insertText', text: whole })}
          />
          <IconButton
            icon="copy"
            label={t('Copy code')}
            onClick={() => host.send({ type: 'copyText', text: whole })}
          />
        </span>
      </div>
      <pre tabIndex={0} dir="ltr">
        <code>{code}</code>
      </pre>
    </div>
  );
}
