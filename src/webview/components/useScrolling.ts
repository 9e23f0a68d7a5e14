import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import { watchGoingUp, isAtVeryEnd, isNearEnd } from './useFollowedEnd.ts';
import type { Drawn } from './useVirtualizedMessages.ts';

/** At the end, more earlier messages than this are unloaded, so that a long read does not use memory permanently. */
const MAX_EARLIER = 200;

/** Nearer to the first loaded message than this, earlier ones are loaded: the wheel must not reach it, in pixels. */
const AHEAD = 4_000;

export interface Scrolling {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly drawn: Drawn;
  /** The end is not in view. */
  readonly isAway: boolean;
  readonly toEnd: () => void;
  /** Stops following, even if the end is visible. */
  readonly stay: () => void;
  /** An element is opened or closed: it keeps its position, and the end is followed if it is still in view. */
  readonly unfold: () => void;
}

/** Stays while the user reads further up. Another branch, and a question of the user, is shown at its end. */
export function useScrolling(
  page: Page,
  scroller: RefObject<HTMLDivElement | null>,
  place: string,
  drawn: Drawn,
): Scrolling {
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  /** How many openings and closings are not drawn yet. */
  const unfolding = useRef(0);
  /** The user is about to scroll up; until then the end is not followed. */
  const goesUp = useRef(false);
  /** The position at the last scroll event, and the last position set by the program or the browser. */
  const lastTop = useRef(0);
  const lastPlace = useRef(0);
  const [isAway, setAway] = useState(false);
  const latest = useRef(drawn);
  latest.current = drawn;

  const ids = page.ids.value;
  const messages = page.conversation.value?.messages ?? [];
  const lastQuestion = messages.findLast(({ role }) => role === 'user')?.id;
  const isEmpty = ids.length === 0;

  const putAt = (element: Element, top: number): void => {
    element.scrollTop = top;
    lastPlace.current = element.scrollTop;
  };

  const isFollowing = (): boolean => follows.current && !goesUp.current;

  const toEnd = (): void => {
    follows.current = true;
    goesUp.current = false;
    setAway(false);
    const element = scroller.current;
    // Without messages there is a welcome, which is read from its beginning.
    if (element) putAt(element, isEmpty ? 0 : element.scrollHeight);
    latest.current.look();
  };

  const [first] = ids;
  const end = `${place} ${lastQuestion}`;
  const before = useRef({ end: '', first, drawn: drawn.ids });
  const hasMoved = before.current.first !== first || before.current.drawn !== drawn.ids;
  // The page is still in its old state: messages loaded above must not push away what is being read.
  const anchor =
    before.current.end === end && hasMoved && !isFollowing() ? topMessage(scroller.current) : undefined;
  const anchorTop = anchor?.getBoundingClientRect().top ?? 0;
  useLayoutEffect(() => {
    const element = scroller.current;
    const isNewEnd = before.current.end !== end;
    before.current = { end, first, drawn: drawn.ids };
    if (!element) return;
    if (isNewEnd) {
      toEnd();
      return;
    }
    if (isFollowing() && !isEmpty) putAt(element, element.scrollHeight);
    else if (anchor?.isConnected) {
      const moved = anchor.getBoundingClientRect().top - anchorTop;
      if (Math.abs(moved) >= 1) element.scrollTop += moved;
    }
    drawn.look();
  }, [end, ids, drawn.ids, page.messages.value]);

  useEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    // The end moves when an answer grows, when the page becomes narrower, and when a block is finally laid out.
    const observer = new ResizeObserver((entries) => {
      if (isFollowing() && inner.querySelector('.message')) putAt(element, element.scrollHeight);
      if (entries.some(({ target }) => target === element)) latest.current.look();
    });
    observer.observe(element);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const onScroll = (): void => {
      const { scrollTop } = element;
      const isAtEnd = isNearEnd(element);
      const hasGoneUp = scrollTop < lastPlace.current;
      // Only scrolling up leaves the end: the end also moves away on its own, as more is laid out. A scroll event
      // from before an opening may arrive after it: it does not reflect the current position.
      if (hasGoneUp && goesUp.current) follows.current = false;
      else if (isAtEnd) follows.current ||= unfolding.current === 0 && (!hasGoneUp || isAtVeryEnd(element));
      else if (scrollTop < lastTop.current) follows.current = false;
      if (!hasGoneUp) goesUp.current = false;
      lastTop.current = scrollTop;
      lastPlace.current = scrollTop;
      setAway(!follows.current && !isAtEnd);
      if (scrollTop < AHEAD && !follows.current) page.loadEarlier();
      else if (isAtEnd && page.earlier.peek().length > MAX_EARLIER) page.forgetEarlier();
      latest.current.look(false);
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const unwatch = watchGoingUp(element, {
      begins: () => void (goesUp.current = true),
      ends: () => {
        goesUp.current = false;
        // The user did not scroll: catches up with the growth.
        if (follows.current && content.current?.querySelector('.message'))
          putAt(element, element.scrollHeight);
      },
    });
    return () => {
      element.removeEventListener('scroll', onScroll);
      unwatch();
    };
  }, []);

  const stay = (): void => {
    follows.current = false;
  };

  const unfold = (): void => {
    stay();
    unfolding.current += 1;
    // The opened element is drawn in the next frame, and a task may run before the page has measured it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        unfolding.current -= 1;
        const element = scroller.current;
        if (!element || follows.current) return;
        follows.current = isNearEnd(element);
        setAway(!follows.current);
      }),
    );
  };

  return { scroller, content, drawn, isAway, toEnd, stay, unfold };
}

export function topMessage(scroller: Element | null): HTMLElement | undefined {
  if (!scroller) return undefined;
  const { top, bottom } = scroller.getBoundingClientRect();
  for (const message of scroller.querySelectorAll<HTMLElement>('.message')) {
    const box = message.getBoundingClientRect();
    if (box.bottom > top) return box.top < bottom ? message : undefined;
  }
  return undefined;
}
