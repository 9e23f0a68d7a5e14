import type { JSX } from 'preact';
import { useRef, useState, useEffect, useLayoutEffect } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import { t } from '../state/texts.ts';
import { EmptyState } from './emptyState.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { useVirtualizedMessages, type Drawn } from './useVirtualizedMessages.ts';
import { useRememberedPosition } from './useRememberedPosition.ts';
import { useReveal, useMessageNavigation } from './useMessageNavigation.ts';
import { useScrolling } from './useScrolling.ts';
import type { SideQuestionView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import { CompactedFold } from './compaction.tsx';
import { ListedMessage } from './messageItem.tsx';

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

/** Announces to screen readers that the answer is complete; announcing each token would be too much. */
function FinishedAnswer(): JSX.Element {
  const page = usePage();
  const runningId = page.runningId.value;
  const messages = page.conversation.value?.messages;
  const awaited = useRef<string | undefined>(undefined);
  const [text, setText] = useState('');

  useEffect(() => {
    const before = awaited.current;
    awaited.current = runningId;
    if (runningId !== undefined) setText('');
    else if (before !== undefined) {
      const answer = messages?.find(({ id }) => id === before);
      if (answer) setText(news(answer));
    }
  }, [runningId, messages]);

  const sideQuestions = page.sideQuestions.value;
  const asked = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isStreaming = ({ answer }: SideQuestionView): boolean => answer?.status === 'streaming';
    const ended = sideQuestions.find(
      (sideQuestion) => asked.current.has(sideQuestion.branch) && !isStreaming(sideQuestion),
    );
    asked.current = new Set(sideQuestions.filter(isStreaming).map(({ branch }) => branch));
    if (ended) setText(t('The answer by the way has arrived.'));
  }, [sideQuestions]);

  return (
    <div class="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}

function news({ status, error }: MessageView): string {
  if (status === 'failed') return t('The answer failed. {0}', error ?? '');
  return status === 'interrupted' ? t('The answer was stopped.') : t('The answer has arrived.');
}

interface ListedMessagesProps {
  readonly drawn: Drawn;
  readonly list: { readonly current: HTMLElement | null };
  /** The one that the Tab key reaches. */
  readonly current: string | undefined;
}

function ListedMessages({ drawn, list, current }: ListedMessagesProps): JSX.Element {
  const page = usePage();
  const ids = page.ids.value;
  const messages = page.messages.value;
  const runningId = page.runningId.value;
  const missing = page.missing.value;
  const total = missing + ids.length;

  // Screen readers also count messages that are not drawn; set here, so that a new one does not redraw the others.
  useLayoutEffect(() => {
    const places = new Map(ids.map((id, index) => [id, missing + index + 1]));
    for (const element of list.current?.querySelectorAll<HTMLElement>('.message') ?? []) {
      element.ariaSetSize = String(total);
      element.ariaPosInSet = String(places.get(element.dataset['messageId'] ?? '') ?? 0);
    }
  });

  const shown: JSX.Element[] = [];
  let left: string[] = [];
  const endGap = (): void => {
    const [first] = left;
    if (first !== undefined) shown.push(<Gap key={`gap ${first}`} height={drawn.heightOf(left)} />);
    left = [];
  };
  const { isClosed, after } = page.fold;
  if (isClosed.value) shown.push(<CompactedFold key="compacted" />);
  for (const id of ids) {
    const message = messages.get(id);
    const isDrawn = drawn.ids.has(id) || id === current || id === ids.at(-1);
    if (isDrawn && (message || id === runningId)) {
      endGap();
      // One list: a finished answer keeps its elements, and nothing of it is redrawn.
      shown.push(<ListedMessage key={id} message={message} isCurrent={id === current} />);
    } else left.push(id);
    if (id !== after.value) continue;
    endGap();
    shown.push(<CompactedFold key="compacted" />);
  }
  endGap();
  return <>{shown}</>;
}

function Gap({ height }: { height: number }): JSX.Element {
  return <li class="gap" aria-hidden="true" style={{ height: `${height}px` }} />;
}
