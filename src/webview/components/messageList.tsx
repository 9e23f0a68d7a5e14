import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import { t } from '../state/texts.ts';
import { EmptyState } from './emptyState.tsx';
import { FinishedAnswer } from './finishedAnswer.tsx';
import { Icon } from './icon.tsx';
import { ListedMessages } from './listedMessages.tsx';
import { usePage } from './pageContext.ts';
import { useVirtualizedMessages } from './useVirtualizedMessages.ts';
import { useRememberedPosition } from './useRememberedPosition.ts';
import { useReveal } from './useReveal.ts';
import { useMessageNavigation } from './useMessageNavigation.ts';
import { useScrolling } from './useScrolling.ts';

/** The conversation. */
export function MessageList(): JSX.Element {
  const page = usePage();
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string>();
  const conversation = page.conversation.value;
  const place = `${conversation?.chat.id} ${conversation?.branch}`;
  const ids = page.ids.value;
  const last = ids.at(-1);
  const current = focused !== undefined && ids.includes(focused) ? focused : last;

  const drawn = useVirtualizedMessages(page, scroller, place, [current, last]);
  const scrolling = useScrolling(page, scroller, place, drawn);
  const { content, isAway, toEnd, unfold } = scrolling;
  const returnTo = useRememberedPosition(page, scrolling);
  useReveal(page, scrolling);
  useMessageNavigation(page, scrolling, returnTo);

  return (
    <div class="conversation">
      <div
        class="scroller"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={t('Conversation')}
        onClickCapture={({ target }) => {
          if (target instanceof Element && target.closest('summary, [aria-expanded]')) unfold();
        }}
      >
        <div ref={content}>
          {last === undefined ? (
            <EmptyState />
          ) : (
            <ol
              class="messages"
              onKeyDown={(event) => moveFocus(page, event)}
              onFocusIn={(event) => setFocused(messageOf(event.target)?.dataset['messageId'])}
            >
              {page.missing.value > 0 && (
                <li class="earlier">
                  <button type="button" class="link-button" onClick={() => page.loadEarlier()}>
                    {t('Show earlier messages')}
                  </button>
                </li>
              )}
              <ListedMessages drawn={drawn} list={content} current={current} />
            </ol>
          )}
        </div>
      </div>
      {isAway && (
        <button type="button" class="jump" onClick={toEnd}>
          <Icon name="arrow-down" />
          {t('Jump to latest')}
        </button>
      )}
      <FinishedAnswer />
    </div>
  );
}

function messageOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.message') : null;
}

/** On a message, the arrow keys lead to the previous or next one, Home and End to the ends. */
function moveFocus(page: Page, event: KeyboardEvent): void {
  const at = event.target;
  if (!(at instanceof HTMLElement) || !at.matches('.message')) return;
  // With one of these, an arrow key means something else.
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const next = neighbour(page.ids.peek(), at.dataset['messageId'] ?? '', event.key);
  if (next === undefined) return;
  event.preventDefault();
  page.enterMessage(next);
}

function neighbour(ids: readonly string[], id: string, key: string): string | undefined {
  switch (key) {
    case 'ArrowUp':
      return ids[ids.indexOf(id) - 1];
    case 'ArrowDown':
      return ids[ids.indexOf(id) + 1];
    case 'Home':
      return ids[0];
    case 'End':
      return ids.at(-1);
    default:
      return undefined;
  }
}
