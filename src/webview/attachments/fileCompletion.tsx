import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { ContextAttachment, FileAttachment } from '../../protocol/attachments.ts';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { iconOf, nameOf } from './attachmentTray.tsx';
import type { Proposal, Proposed } from './pendingAttachments.ts';

/** The list's own id: the input says that it belongs to it. */
export const COMPLETION_ID = 'file-completion';

/** A word after an `@`, or letters after a `#`, up to where one types. */
const mention = /(?:^|\s)(?:@([^\s@]*)|#([\p{L}][^\s#]*))$/u;

export interface FileCompletion {
  readonly proposed: Proposal['proposed'];
  readonly active: number;
  /** What is to be called on each change of the text, with where one types. */
  readonly typed: (text: string, caret: number) => void;
  /** True when the key was for the list. */
  readonly pressed: (event: KeyboardEvent) => boolean;
  readonly choose: (proposed: Proposed) => void;
}

/**
 * Proposes files of the workspace, and what else it has, for what is typed after an `@` or a `#`.
 * @param onChosen gets the text without that sign and what followed it, and where one goes on typing
 */
export function useFileCompletion(onChosen: (text: string, caret: number) => void): FileCompletion {
  const { attachments, host } = usePage();
  const [at, setAt] = useState<{ text: string; caret: number; query: string }>();
  const [active, setActive] = useState(0);
  const proposal = attachments.proposal.value;
  const proposed = at && proposal ? matching(proposal, at.query) : [];
  useEffect(() => setActive(0), [proposal]);

  const close = (): void => {
    setAt(undefined);
    attachments.proposal.value = undefined;
  };
  const choose = (chosen: Proposed): void => {
    if (!at) return;
    const start = at.caret - at.query.length - 1;
    if (chosen.kind === 'branch') host.send({ type: 'addBranch' });
    else if (isLookedAt(chosen.attachment)) host.send({ type: 'attachFile', path: chosen.attachment.path });
    else attachments.add([chosen.attachment]);
    onChosen(at.text.slice(0, start) + at.text.slice(at.caret), start);
    close();
  };
  return {
    proposed,
    active,
    choose,
    typed: (text, caret) => {
      // Only the line one types in: a text may be huge.
      const typed = mention.exec(text.slice(Math.max(0, caret - 300), caret));
      const query = typed?.[1] ?? typed?.[2];
      if (query === undefined) {
        close();
        return;
      }
      setAt({ text, caret, query });
      attachments.propose(query);
    },
    pressed: (event) => {
      if (proposed.length === 0) return false;
      const chosen = proposed[active];
      switch (event.key) {
        case 'ArrowDown':
        case 'ArrowUp':
          setActive((active + (event.key === 'ArrowDown' ? 1 : proposed.length - 1)) % proposed.length);
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

/** Whether it is shown to a model, and not read to it: the host fetches it. */
function isLookedAt(attachment: FileAttachment | ContextAttachment): attachment is FileAttachment {
  return attachment.type === 'file' && /\.(?:png|jpe?g|gif|webp|pdf)$/iu.test(attachment.path);
}

/** Until the answer to what was typed last is there, what is left of the one before. */
function matching({ query, proposed }: Proposal, typed: string): Proposal['proposed'] {
  if (query === typed) return proposed;
  return proposed.filter((each) => labelOf(each).name.toLowerCase().includes(typed.toLowerCase()));
}

/** What stands in a row of the list. */
function labelOf(proposed: Proposed): { icon: string; name: string; place: string } {
  if (proposed.kind === 'branch') return { icon: 'git-branch', name: t('Branch or Checkpoint…'), place: '' };
  const { attachment, symbol } = proposed;
  const name = nameOf(attachment);
  if (symbol !== undefined) return { icon: 'symbol-method', name: withHiddenSpelledOut(symbol), place: name };
  const cut = attachment.type === 'file' ? name.lastIndexOf('/') : -1;
  return { icon: iconOf(attachment), name: name.slice(cut + 1), place: name.slice(0, Math.max(0, cut)) };
}

export function FileCompletionList({ completion }: { completion: FileCompletion }): JSX.Element | null {
  const { proposed, active, choose } = completion;
  if (proposed.length === 0) return null;
  return (
    <ul class="completion" id={COMPLETION_ID} role="listbox" aria-label={t('Files')}>
      {proposed.map((each, index) => {
        const { icon, name, place } = labelOf(each);
        return (
          <li
            key={JSON.stringify(each)}
            id={`${COMPLETION_ID}-${index}`}
            role="option"
            aria-selected={index === active}
            class={index === active ? 'active' : ''}
            // The input keeps the keyboard.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(each)}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
          >
            <Icon name={icon} />
            <span class="completion-name">{name}</span>
            <span class="completion-folder">{place}</span>
          </li>
        );
      })}
    </ul>
  );
}
