import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { SharedWith } from './sharedWith.tsx';
import { UsageRing } from './usageRing.tsx';

/** The current chat and branch. */
export function ConversationHeader(): JSX.Element | null {
  const { host, conversation: shown } = usePage();
  const conversation = shown.value;
  if (!conversation) return null;
  // On an empty branch of a chat with several branches, this shows the branch and a way back.
  if (conversation.messageCount === 0 && conversation.branchCount < 2) return null;
  const { chat, branch, branchLabel = branch, branchCount } = conversation;
  return (
    <header class="header">
      <span class="chat-title" title={withHiddenSpelledOut(chat.title)} dir="auto">
        <HiddenMarked text={chat.title} />
      </span>
      <button
        type="button"
        class="branch-button"
        title={t(
          '{0}: {1}',
          t('Switch branch'),
          branchLabel === branch ? branch : `${branchLabel} (${branch})`,
        )}
        disabled={branchCount < 2}
        onClick={() => host.send({ type: 'runCommandHere', command: 'switchBranch' })}
      >
        <Icon name="git-branch" />
        <span class="visually-hidden">{t('Branch')} </span>
        <span class="branch-name" data-branch={branch} dir="auto">
          <HiddenMarked text={branchLabel} />
        </span>
        {branchCount > 1 && (
          <>
            <span class="branch-count">{branchCount}</span>
            <span class="visually-hidden"> {t('branches')}</span>
          </>
        )}
      </button>
      <SharedWith conversation={conversation} />
      <UsageRing />
    </header>
  );
}
