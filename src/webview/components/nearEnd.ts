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
