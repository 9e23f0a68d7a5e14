import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { watchGoingUp } from './goingUp.ts';
import { isNearEnd } from './nearEnd.ts';

/**
 * Keeps the end of a box in view while its content grows, until the user scrolls up; at the end again, it follows
 * again.
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
