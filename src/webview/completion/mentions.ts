import { useState } from 'preact/hooks';
import type { ContextAttachment, FileAttachment } from '../../protocol/attachments.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { iconOf, nameOf } from '../attachments/attachmentTray.tsx';
import type { Proposal, Proposed } from '../attachments/pendingAttachments.ts';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import type { CompletionRow, CompletionSource } from './completion.tsx';

/** A word after an `@`, or letters after a `#`, up to the caret. */
const mention = /(?:^|\s)(?:@([^\s@]*)|#([\p{L}][^\s#]*))$/u;

/** @param onChosen gets the text without the sign and the word after it, and the new caret */
export function useMentions(onChosen: (text: string, caret: number) => void): CompletionSource {
  const { attachments, host } = usePage();
  const [at, setAt] = useState<{ text: string; caret: number; query: string }>();
  const proposal = attachments.proposal.value;
  const proposed = at && proposal ? matching(proposal, at.query) : [];
  const close = (): void => {
    setAt(undefined);
    attachments.proposal.value = undefined;
  };
  return {
    label: t('Files'),
    rows: proposed.map(rowOf),
    close,
    choose: ({ key }) => {
      const chosen = proposed.find((each) => JSON.stringify(each) === key);
      if (!at || !chosen) return;
      const start = at.caret - at.query.length - 1;
      if (chosen.kind === 'branch') host.send({ type: 'runCommand', command: 'addBranch' });
      else if (isLookedAt(chosen.attachment)) host.send({ type: 'attachFile', path: chosen.attachment.path });
      else attachments.add([chosen.attachment]);
      onChosen(at.text.slice(0, start) + at.text.slice(at.caret), start);
      close();
    },
    typed: (text, caret) => {
      // Only the line of the caret: a text may be huge.
      const typed = mention.exec(text.slice(Math.max(0, caret - 300), caret));
      const query = typed?.[1] ?? typed?.[2];
      if (query === undefined) {
        close();
        return;
      }
      setAt({ text, caret, query });
      attachments.propose(query);
    },
  };
}

/** Whether it is a file that models view rather than read as text: the host fetches it. */
function isLookedAt(attachment: FileAttachment | ContextAttachment): attachment is FileAttachment {
  return attachment.type === 'file' && /\.(?:png|jpe?g|gif|webp|pdf)$/iu.test(attachment.path);
}

/** Until the latest answer arrives, the still matching part of the previous one. */
function matching({ query, proposed }: Proposal, typed: string): Proposal['proposed'] {
  if (query === typed) return proposed;
  return proposed.filter((each) => rowOf(each).name.toLowerCase().includes(typed.toLowerCase()));
}

function rowOf(proposed: Proposed): CompletionRow {
  const key = JSON.stringify(proposed);
  if (proposed.kind === 'branch')
    return { key, icon: 'git-branch', name: t('Branch or Checkpoint…'), detail: '' };
  const { attachment, symbol } = proposed;
  const name = nameOf(attachment);
  if (symbol !== undefined)
    return { key, icon: 'symbol-method', name: withHiddenSpelledOut(symbol), detail: name };
  const cut = attachment.type === 'file' ? name.lastIndexOf('/') : -1;
  return {
    key,
    icon: iconOf(attachment),
    name: name.slice(cut + 1),
    detail: name.slice(0, Math.max(0, cut)),
  };
}
