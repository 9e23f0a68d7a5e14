import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../state/texts.ts';
import { EmptyState } from './emptyState.tsx';
import { FinishedAnswer } from './finishedAnswer.tsx';
import { Icon } from './icon.tsx';
import { ListedMessage } from './messageItem.tsx';
import { usePage } from './pageContext.ts';
import { useRememberedPlace } from './useRememberedPlace.ts';
import { useReveal } from './useReveal.ts';
import { useSteps } from './useSteps.ts';
import { useScrolling } from './useScrolling.ts';

/** The conversation. */
export function MessageList(): JSX.Element {
  const page = usePage();
  const messages = [...page.earlier.value, ...(page.conversation.value?.messages ?? [])];
  const runningId = page.runningId.value;
  const scrolling = useScrolling(page);
  const { scroller, content, isAway, toEnd } = scrolling;
  useRememberedPlace(page, scrolling);
  useReveal(page, scrolling);
  useSteps(page, scrolling);
  const [focused, setFocused] = useState<string>();

  const last = runningId ?? messages.at(-1)?.id;
  const isKnown = focused === runningId || messages.some(({ id }) => id === focused);
  const current = isKnown && focused !== undefined ? focused : last;

  return (
    <div class="conversation">
      <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label={t('Conversation')}>
        <div ref={content}>
          {last === undefined ? (
            <EmptyState />
          ) : (
            <ol
              class="messages"
              onKeyDown={moveFocus}
              onFocusIn={(event) => setFocused(messageOf(event.target)?.dataset['messageId'])}
            >
              {page.missing.value > 0 && (
                <li class="earlier">
                  <button type="button" class="link-button" onClick={() => page.loadEarlier()}>
                    {t('Show earlier messages')}
                  </button>
                </li>
              )}
              {/* One list: an answer that has ended keeps its elements, and nothing of it is drawn anew. */}
              {[...messages.map(({ id }) => id), ...(runningId === undefined ? [] : [runningId])].map(
                (id, index) => (
                  <ListedMessage key={id} message={messages[index]} isCurrent={id === current} />
                ),
              )}
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

/** On a message, the arrow keys lead to the one before or after, Home and End to the ends. */
function moveFocus(event: KeyboardEvent): void {
  const at = event.target;
  if (!(at instanceof HTMLElement) || !at.matches('.message')) return;
  // With one of these, an arrow means something else.
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const next = neighbour(at, event.key);
  if (!(next instanceof HTMLElement) || !next.matches('.message')) return;
  event.preventDefault();
  next.focus();
}

function neighbour(message: HTMLElement, key: string): Element | null | undefined {
  switch (key) {
    case 'ArrowUp':
      return message.previousElementSibling;
    case 'ArrowDown':
      return message.nextElementSibling;
    case 'Home':
      return message.parentElement?.querySelector('.message');
    case 'End':
      return message.parentElement?.lastElementChild;
    default:
      return undefined;
  }
}
