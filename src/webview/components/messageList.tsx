import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../state/texts.ts';
import { EmptyState } from './emptyState.tsx';
import { Icon } from './icon.tsx';
import { MessageItem } from './messageItem.tsx';
import { usePage } from './pageContext.ts';

/** Nearer to the end than this counts as being there, in pixels. */
const NEAR_END = 40;

/** The conversation. It follows its end while one is there, and stays put while one reads further up. */
export function MessageList(): JSX.Element {
  const page = usePage();
  const { conversation } = page.state.value;
  const messages = page.messages.value;
  const list = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const anchor = useRef<{ first: string; fromEnd: number } | undefined>(undefined);
  const [isAway, setAway] = useState(false);
  const place = `${conversation?.chat.id} ${conversation?.branch}`;

  // Without messages there is a welcome, which is read from its beginning.
  const isEmpty = messages.length === 0;
  const toEnd = (): void => {
    follows.current = true;
    setAway(false);
    const element = list.current;
    if (element) element.scrollTop = isEmpty ? 0 : element.scrollHeight;
  };

  // Another branch, or a question of one's own, is read from its end.
  const lastQuestion = messages.findLast(({ role }) => role === 'user')?.id;
  useLayoutEffect(toEnd, [place, lastQuestion]);

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const [first] = messages;
    if (anchor.current && first && anchor.current.first !== first.id) {
      // What came in above must not push away what is being read.
      element.scrollTop = element.scrollHeight - anchor.current.fromEnd;
    } else if (follows.current && !isEmpty) element.scrollTop = element.scrollHeight;
    anchor.current = first && { first: first.id, fromEnd: element.scrollHeight - element.scrollTop };
  });

  useEffect(() => {
    const element = list.current;
    if (!element) return;
    // The end also moves when the page is made narrower, or when a block is laid out at last.
    const observer = new ResizeObserver(() => {
      if (follows.current && element.querySelector('.message')) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    const content = element.firstElementChild;
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, []);

  const onScroll = (): void => {
    const element = list.current;
    if (!element) return;
    const fromEnd = element.scrollHeight - element.scrollTop;
    const [first] = messages;
    follows.current = first === undefined || fromEnd - element.clientHeight < NEAR_END;
    setAway(!follows.current);
    anchor.current = first && { first: first.id, fromEnd };
    if (element.scrollTop < element.clientHeight) page.loadEarlier();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const current = document.activeElement;
    if (!(current instanceof HTMLElement) || !current.matches('.message')) return;
    const next = event.key === 'ArrowUp' ? current.previousElementSibling : current.nextElementSibling;
    if (!(next instanceof HTMLElement) || !next.matches('.message')) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <div class="conversation">
      <div
        class="scroller"
        ref={list}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label={t('Conversation')}
      >
        <div>
          {isEmpty ? (
            <EmptyState />
          ) : (
            <ol class="messages" onKeyDown={onKeyDown}>
              {page.missing.value > 0 && (
                <li class="earlier">
                  <button type="button" class="link-button" onClick={() => page.loadEarlier()}>
                    {t('Show earlier messages')}
                  </button>
                </li>
              )}
              {messages.map((message) => (
                <MessageItem key={message.id} message={message} />
              ))}
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

/** Tells a screen reader that an answer has come; each token would be too much. */
function FinishedAnswer(): JSX.Element {
  const page = usePage();
  const last = page.messages.value.at(-1);
  const isDone = last?.role === 'assistant' && last.status !== 'streaming';
  return (
    <div class="visually-hidden" aria-live="polite">
      {isDone ? t('The answer has arrived.') : ''}
    </div>
  );
}
