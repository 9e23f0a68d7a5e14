import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import type { Proposal } from './pendingAttachments.ts';

/** The list's own id: the input says that it belongs to it. */
export const COMPLETION_ID = 'file-completion';

/** A word after an `@`, up to where one types. */
const mention = /(?:^|\s)@([^\s@]*)$/u;

export interface FileCompletion {
  readonly paths: readonly string[];
  readonly active: number;
  /** What is to be called on each change of the text, with where one types. */
  readonly typed: (text: string, caret: number) => void;
  /** True when the key was for the list. */
  readonly pressed: (event: KeyboardEvent) => boolean;
  readonly choose: (path: string) => void;
}

/**
 * Proposes files of the workspace for what is typed after an `@`.
 * @param onChosen gets the text without the `@` and what followed it, and where one goes on typing
 */
export function useFileCompletion(onChosen: (text: string, caret: number) => void): FileCompletion {
  const { attachments } = usePage();
  const [at, setAt] = useState<{ text: string; caret: number; query: string }>();
  const [active, setActive] = useState(0);
  const proposal = attachments.proposal.value;
  const paths = at && proposal ? matching(proposal, at.query) : [];
  useEffect(() => setActive(0), [proposal]);

  const close = (): void => {
    setAt(undefined);
    attachments.proposal.value = undefined;
  };
  const choose = (path: string): void => {
    if (!at) return;
    const start = at.caret - at.query.length - 1;
    attachments.add([{ type: 'file', path }]);
    onChosen(at.text.slice(0, start) + at.text.slice(at.caret), start);
    close();
  };
  return {
    paths,
    active,
    choose,
    typed: (text, caret) => {
      // Only the line one types in: a text may be huge.
      const query = mention.exec(text.slice(Math.max(0, caret - 300), caret))?.[1];
      if (query === undefined) {
        close();
        return;
      }
      setAt({ text, caret, query });
      attachments.propose(query);
    },
    pressed: (event) => {
      if (paths.length === 0) return false;
      const chosen = paths[active];
      switch (event.key) {
        case 'ArrowDown':
        case 'ArrowUp':
          setActive((active + (event.key === 'ArrowDown' ? 1 : paths.length - 1)) % paths.length);
          break;
        case 'Enter':
        case 'Tab':
          if (chosen !== undefined) choose(chosen);
          break;
        case 'Escape':
          close();
          break;
        default:
          return false;
      }
      event.preventDefault();
      return true;
    },
  };
}

/** Until the answer to what was typed last is there, what is left of the one before. */
function matching({ query, paths }: Proposal, typed: string): readonly string[] {
  if (query === typed) return paths;
  return paths.filter((path) => path.toLowerCase().includes(typed.toLowerCase()));
}

export function FileCompletionList({ completion }: { completion: FileCompletion }): JSX.Element | null {
  const { paths, active, choose } = completion;
  if (paths.length === 0) return null;
  return (
    <ul class="completion" id={COMPLETION_ID} role="listbox" aria-label={t('Files')}>
      {paths.map((path, index) => (
        <li
          key={path}
          id={`${COMPLETION_ID}-${index}`}
          role="option"
          aria-selected={index === active}
          class={index === active ? 'active' : ''}
          // The input keeps the keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(path)}
          ref={(element) => {
            if (index === active) element?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <Icon name="file" />
          <span class="completion-name">{path.slice(path.lastIndexOf('/') + 1)}</span>
          <span class="completion-folder">{path.slice(0, Math.max(0, path.lastIndexOf('/')))}</span>
        </li>
      ))}
    </ul>
  );
}
