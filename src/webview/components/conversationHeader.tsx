import type { JSX } from 'preact';
import { t, usageText, usageTitle } from '../state/texts.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';

/** Where one is: the chat and its branch. */
export function ConversationHeader(): JSX.Element | null {
  const { host, conversation: shown } = usePage();
  const conversation = shown.value;
  if (!conversation) return null;
  // An empty branch of a chat that has others says where one is, and leads back.
  if (conversation.messageCount === 0 && conversation.branchCount < 2) return null;
  const { chat, branch, branchCount, usage } = conversation;
  return (
    <header class="header">
      <span class="chat-title" title={withHiddenSpelledOut(chat.title)} dir="auto">
        <HiddenMarked text={chat.title} />
      </span>
      {usage && (
        <span class="usage" title={t('{0}: {1}', t('This branch so far'), usageTitle(usage))}>
          {usageText(usage)}
        </span>
      )}
      <button
        type="button"
        class="branch-button"
        title={t('Switch branch')}
        disabled={branchCount < 2}
        onClick={() => host.send({ type: 'pickBranch' })}
      >
        <Icon name="git-branch" />
        <span class="visually-hidden">{t('Branch')} </span>
        <span class="branch-name" dir="auto">
          <HiddenMarked text={branch} />
        </span>
        {branchCount > 1 && (
          <>
            <span class="branch-count">{branchCount}</span>
            <span class="visually-hidden"> {t('branches')}</span>
          </>
        )}
      </button>
    </header>
  );
}
