import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How long a question must stand still before it accepts an answer, in milliseconds. */
const STILL_MS = 500;

/** How often its position is checked, in milliseconds. */
const LOOK_MS = 100;

/** A smaller move does not misdirect a click, in pixels. */
const MOVE = 3;

export interface Armed {
  readonly isArmed: boolean;
  /** Whether a click counts as an answer. */
  readonly takes: (click: MouseEvent) => boolean;
}

/**
 * Protects a question from clicks and keys meant for something else: for a moment after it has appeared, scrolled
 * into view or moved, for instance because text was added above, it accepts none.
 * @param id of the question: another one must stand still again
 */
export function useArmed(card: RefObject<HTMLElement | null>, id: string): Armed {
  const [isArmed, setArmed] = useState(false);
  const state = useRef({ top: NaN, left: NaN, since: 0, begun: 0 });

  const look = (): boolean => {
    const now = performance.now();
    const { top, left } = card.current?.getBoundingClientRect() ?? { top: NaN, left: NaN };
    const last = state.current;
    const isStill = Math.abs(top - last.top) < MOVE && Math.abs(left - last.left) < MOVE;
    if (!isStill) state.current = { ...last, top, left, since: now };
    const isArmedNow = isStill && now - last.since >= STILL_MS;
    setArmed(isArmedNow);
    return isArmedNow;
  };

  useEffect(() => {
    state.current = { top: NaN, left: NaN, since: 0, begun: performance.now() };
    look();
    const timer = setInterval(look, LOOK_MS);
    // Scrolling is detected at once, in any element.
    const scrolling = { capture: true, passive: true };
    document.addEventListener('scroll', look, scrolling);
    return () => {
      clearInterval(timer);
      document.removeEventListener('scroll', look, scrolling);
    };
  }, [id]);

  return {
    isArmed,
    // A key goes to the focused element, even if that has moved.
    takes: ({ detail }) =>
      detail === 0 ? performance.now() - state.current.begun >= STILL_MS : isArmed && look(),
  };
}
