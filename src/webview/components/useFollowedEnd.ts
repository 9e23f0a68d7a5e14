import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { watchGoingUp } from './goingUp.ts';
import { isNearEnd } from './nearEnd.ts';

/**
 * Keeps the end of a box in view while what is in it grows, until somebody goes up in it; who is back at the end follows
 * again.
 * @param isGrowing what is complete is read from where it is
 * @returns what to call whenever the box has more to show
 */
export function useFollowedEnd(box: RefObject<HTMLElement | null>, isGrowing: boolean): () => void {
  const follows = useRef(isGrowing);
  const goesUp = useRef(false);
  /** Where the view was last put, by whomever. */
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
        // Nothing came of it: what grew meanwhile is caught up with.
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
