import type { JSX } from 'preact';
import type { ContextView, UsageView } from '../../protocol/views.ts';
import { costText, numberText, percentText, t, usageTitle } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

/** The share of the context window from which the ring warns, as the warning of the conversation does. */
const NEARLY_FULL = 0.8;

/** The used share of the context window as a ring; its label has the numbers, and the cost of the chat so far. */
export function UsageRing(): JSX.Element | null {
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
  const { tokens, window } = context;
  return [
    window === undefined
      ? t('Context: {0} tokens (size of the context window unknown)', numberText(tokens))
      : t(
          'Context: {0} of {1} tokens ({2})',
          numberText(tokens),
          numberText(window),
          percentText(tokens / window),
        ),
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
