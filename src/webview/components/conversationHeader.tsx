import type { JSX } from 'preact';
import { t, costText, numberText, percentText, usageTitle } from '../state/texts.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { LookBackButton } from './lookBack.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { SharedWith } from './sharedWith.tsx';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContextView } from '../../protocol/chatFromHost.ts';
import type { UsageView } from '../../protocol/views.ts';

export function ConversationHeader(): JSX.Element | null {
  const { host, conversation: shown } = usePage();
  const conversation = shown.value;
  if (!conversation) return null;
  // On an empty branch of a chat with several branches, this shows the branch and a way back.
  if (conversation.messageCount === 0 && conversation.branchCount < 2) return null;
  const { chat, branch, branchLabel = branch, branchCount, lineage = [] } = conversation;
  // The breadcrumbs below end with it.
  const isNamedBelow = lineage.length > 1;
  return (
    <header class="header" data-branch={branch}>
      <span class="chat-title" title={withHiddenSpelledOut(chat.title)} dir="auto">
        <HiddenMarked text={chat.title} />
      </span>
      {branchCount > 1 && (
        <button
          type="button"
          class="branch-button"
          title={t(
            '{0}: {1}',
            t('Switch branch'),
            branchLabel === branch ? branch : `${branchLabel} (${branch})`,
          )}
          onClick={() => host.send({ type: 'runCommandHere', command: 'switchBranch' })}
        >
          <Icon name="git-branch" />
          {/* Behind the name it would be read as a part of it. */}
          <span class="branch-count" aria-hidden="true">
            {numberText(branchCount)}
          </span>
          <span class="visually-hidden">{t('Branch')} </span>
          <span class={isNamedBelow ? 'visually-hidden' : 'branch-name'} dir="auto">
            <HiddenMarked text={branchLabel} />
          </span>
          <span class="visually-hidden"> {t('{0} branches', numberText(branchCount))}</span>
        </button>
      )}
      {conversation.messageCount > 1 && <LookBackButton />}
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

/** The share of the context window from which the ring warns, as the warning of the conversation does. */
const NEARLY_FULL = 0.8;

function UsageRing(): JSX.Element | null {
  const { host, context: measured, conversation } = usePage();
  const context = measured.value;
  const { usage, chatUsage } = conversation.value ?? {};
  const lines = [...contextLines(context), ...usageLines(usage, chatUsage)];
  if (lines.length === 0) return null;
  const share = context?.window === undefined ? undefined : context.tokens / context.window;
  const label = lines.join('\n');
  return (
    <button
      type="button"
      class={`icon-button usage-ring ${share !== undefined && share >= NEARLY_FULL ? 'nearly-full' : ''}`}
      title={label}
      aria-label={label}
      onClick={() => host.send({ type: 'showContext' })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle class="ring-track" cx="8" cy="8" r="6" />
        {share !== undefined && share > 0 && (
          <circle
            class="ring-taken"
            cx="8"
            cy="8"
            r="6"
            pathLength={100}
            // Too little to be visible would look like nothing.
            stroke-dasharray={`${Math.min(100, Math.max(4, share * 100))} 100`}
          />
        )}
      </svg>
    </button>
  );
}

/** “Tokens” alone refers to the context: what the next request sends. */
function contextLines(context: ContextView | undefined): string[] {
  if (!context) return [];
  const { tokens, window, price = [] } = context;
  return [
    window === undefined
      ? t('Context: {0} tokens (size of the context window unknown)', numberText(tokens))
      : t(
          'Context: {0} of {1} tokens ({2})',
          numberText(tokens),
          numberText(window),
          percentText(tokens / window),
        ),
    ...price,
  ];
}

function usageLines(usage: UsageView | undefined, chatUsage: UsageView | undefined): string[] {
  if (!usage && !chatUsage) return [];
  const { cost: _path, ...tokens } = usage ?? { inputTokens: 0, outputTokens: 0 };
  const chatCost = (chatUsage ?? usage)?.cost;
  return [
    ...(usage ? [t('Responses on this path: {0}', usageTitle(tokens))] : []),
    ...(usage?.cost === undefined ? [] : [t('Cost of this path: {0} (estimate)', costText(usage.cost))]),
    ...(chatCost === undefined ? [] : [t('Cost of the whole chat: {0} (estimate)', costText(chatCost))]),
  ];
}
