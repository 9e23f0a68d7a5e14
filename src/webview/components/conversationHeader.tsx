import type { JSX } from 'preact';
import { t } from '../state/texts.ts';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { SharedWith } from './sharedWith.tsx';
import { UsageRing } from './usageRing.tsx';
import { useLayoutEffect, useRef } from 'preact/hooks';

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

/** The ancestors of this branch; a click goes to one of them, or to the beginning of this branch. */
export function Breadcrumbs(): JSX.Element | null {
  const page = usePage();
  const conversation = page.conversation.value;
  const lineage = conversation?.lineage ?? [];
  const path = lineage.map(({ branch, label }) => label ?? branch).join('\n');
  const list = useRef<HTMLElement>(null);
  // The current branch is at the end, which stays visible when there are too many.
  useLayoutEffect(() => list.current?.scrollTo({ left: list.current.scrollWidth }), [path]);
  if (lineage.length < 2) return null;
  return (
    <nav class="crumbs" ref={list} aria-label={t('Where this branch comes from')}>
      <ol>
        {lineage.map(({ branch, label = branch, color, forkMessageId }, index) => {
          const isCurrent = index === lineage.length - 1;
          return (
            <li key={branch}>
              {index > 0 && <Icon name="chevron-right" />}
              <button
                type="button"
                class={`crumb line-${color}`}
                aria-current={isCurrent ? 'true' : undefined}
                title={isCurrent ? t('Show where {0} begins', label) : t('Switch to branch {0}', label)}
                onClick={() => {
                  if (!isCurrent) page.host.send({ type: 'switchBranch', branch });
                  else if (forkMessageId !== undefined) page.revealed.value = forkMessageId;
                }}
              >
                <HiddenMarked text={label} />
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
