import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';

/**
 * Keeps the end of a box in view while it grows, until the user scrolls up; back at the end, it follows again.
 * @param isGrowing complete content is not scrolled
 * @returns a function to call when the box has more content
 */
export function useFollowedEnd(box: RefObject<HTMLElement | null>, isGrowing: boolean): () => void {
  const follows = useRef(isGrowing);
  const goesUp = useRef(false);
  /** The last scroll position, set by the user or the program. */
  const lastTop = useRef(0);

  const follow = useCallback((): void => {
    const element = box.current;
    if (!element || !follows.current || goesUp.current) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, []);

  useEffect(() => {
    follows.current = isGrowing;
    const element = box.current;
    if (!element || !isGrowing) return;
    const onScroll = (): void => {
      const hasGoneUp = element.scrollTop < lastTop.current;
      lastTop.current = element.scrollTop;
      if (!hasGoneUp) {
        goesUp.current = false;
        follows.current ||= isNearEnd(element);
      } else if (goesUp.current || !isNearEnd(element)) follows.current = false;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    const unwatch = watchGoingUp(element, {
      begins: () => void (goesUp.current = true),
      ends: () => {
        goesUp.current = false;
        // The user did not scroll: catches up with the growth.
        follow();
      },
    });
    return () => {
      element.removeEventListener('scroll', onScroll);
      unwatch();
      goesUp.current = false;
    };
  }, [isGrowing]);

  return follow;
}

/** A distance from the end below this counts as being there, in pixels. */
const NEAR_END = 40;

export function isNearEnd(element: Element): boolean {
  return belowOf(element) < NEAR_END;
}

/** At the very end: the browser also moves the view there when the content shrinks. */
export function isAtVeryEnd(element: Element): boolean {
  return belowOf(element) < 1;
}

/** The content below the view, in pixels. */
function belowOf({ scrollTop, scrollHeight, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}

/** The maximum delay between a wheel, touch or key event and the scroll it causes, in milliseconds. */
const BEGINS_WITHIN_MS = 150;

const KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** Notified when the user is about to scroll up, and a moment after the last such event. */
interface GoingUpListener {
  begins(): void;
  ends(): void;
}

/**
 * Detects that the user is about to scroll up. The scroll comes later than its cause and, when smooth or by touch, in
 * small steps: following an end that grows with each frame would undo each step.
 * @returns stops listening
 */
export function watchGoingUp(element: HTMLElement, listener: GoingUpListener): () => void {
  const listening = new AbortController();
  const options = { passive: true, signal: listening.signal };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goUp = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => listener.ends(), BEGINS_WITHIN_MS);
    listener.begins();
  };
  element.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && goUp(), options);
  element.addEventListener('touchmove', goUp, options);
  element.addEventListener('keydown', ({ key }) => KEYS.has(key) && goUp(), options);
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}
