import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** How long a question has to stand still before it takes an answer, in milliseconds. */
const STILL_MS = 500;

/** How often it is looked whether it stands still, in milliseconds. */
const LOOK_MS = 100;

/** Less than this is no move that leads a click astray, in pixels. */
const MOVE = 3;

export interface Armed {
  readonly isArmed: boolean;
  /** Whether a click counts as an answer. */
  readonly takes: (click: MouseEvent) => boolean;
}

/**
 * Keeps a question from being answered by a click or a key that was meant for something else: for a moment after it has
 * appeared, come into view or moved, as when more text comes in above it, it takes none.
 * @param id of the question: another one has to stand still anew
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
    // Scrolling is seen at once, whatever scrolls.
    const scrolling = { capture: true, passive: true };
    document.addEventListener('scroll', look, scrolling);
    return () => {
      clearInterval(timer);
      document.removeEventListener('scroll', look, scrolling);
    };
  }, [id]);

  return {
    isArmed,
    // A key goes to what has the keyboard, wherever that has moved to.
    takes: ({ detail }) =>
      detail === 0 ? performance.now() - state.current.begun >= STILL_MS : isArmed && look(),
  };
}
