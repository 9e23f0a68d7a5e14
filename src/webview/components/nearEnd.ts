/** Nearer to the end than this counts as being there, in pixels. */
const NEAR_END = 40;

export function isNearEnd(element: Element): boolean {
  return belowOf(element) < NEAR_END;
}

/** At the very end: there a view is also put where it was further down than there is by now. */
export function isAtVeryEnd(element: Element): boolean {
  return belowOf(element) < 1;
}

/** What is below the view, in pixels. */
function belowOf({ scrollTop, scrollHeight, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}
