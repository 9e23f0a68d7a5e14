import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';

/** Nearer to the end than this counts as being there, in pixels. */
const NEAR_END = 40;

/** Back at the end, more earlier messages than this are let go of, so that a long read leaves no weight behind. */
const MAX_EARLIER = 200;

export interface Scrolling {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  /** The end is out of sight. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
  /** Stays where one is, though the end may be in sight. */
  readonly stay: () => void;
}

/**
 * Follows the end of the conversation while one is there, and stays put while one reads further up. Another branch,
 * and a question of one's own, is read from its end.
 */
export function useScrolling(page: Page): Scrolling {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lastTop = useRef(0);
  const [isAway, setAway] = useState(false);

  const conversation = page.conversation.value;
  const place = `${conversation?.chat.id} ${conversation?.branch}`;
  const messages = conversation?.messages ?? [];
  const lastQuestion = messages.findLast(({ role }) => role === 'user')?.id;
  const first = (page.earlier.value[0] ?? messages[0])?.id;
  const isEmpty = first === undefined && page.runningId.value === undefined;

  const toEnd = (): void => {
    follows.current = true;
    setAway(false);
    const element = scroller.current;
    // Without messages there is a welcome, which is read from its beginning.
    if (element) element.scrollTop = isEmpty ? 0 : element.scrollHeight;
  };

  const end = `${place} ${lastQuestion}`;
  const before = useRef({ end: '', first });
  const isEarlier = before.current.end === end && before.current.first !== first;
  // The page is still as it was: what is being read must not be pushed away by what comes in above.
  const anchor = isEarlier ? topMessage(scroller.current) : undefined;
  const anchorTop = anchor?.getBoundingClientRect().top ?? 0;
  useLayoutEffect(() => {
    const isNewEnd = before.current.end !== end;
    before.current = { end, first };
    if (isNewEnd) toEnd();
    else if (anchor?.isConnected && scroller.current) {
      scroller.current.scrollTop += anchor.getBoundingClientRect().top - anchorTop;
    }
  }, [end, first]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    // The end moves when an answer grows, when the page is made narrower, and when a block is laid out at last.
    const observer = new ResizeObserver(() => {
      if (follows.current && inner.querySelector('.message')) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR_END;
      // Only going up leaves the end: it also gets further away by itself, as more is laid out.
      if (isAtEnd) follows.current = true;
      else if (scrollTop < lastTop.current) follows.current = false;
      lastTop.current = scrollTop;
      setAway(!follows.current && !isAtEnd);
      if (scrollTop < clientHeight && !follows.current) page.loadEarlier();
      else if (isAtEnd && page.earlier.value.length > MAX_EARLIER) page.forgetEarlier();
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);

  const stay = (): void => {
    follows.current = false;
  };

  return { scroller, content, isAway, toEnd, stay };
}

/** The first message that can be seen. */
export function topMessage(scroller: Element | null): Element | undefined {
  if (!scroller) return undefined;
  const { top, left, width } = scroller.getBoundingClientRect();
  for (const element of document.elementsFromPoint(left + width / 2, top + 1)) {
    const message = element.closest('.message');
    if (message) return message;
  }
  return scroller.querySelector('.message') ?? undefined;
}
