/** The maximum number of elements of one rendered formula, and their nesting. */
const MAX_ELEMENTS = 5_000;
const MAX_ELEMENT_DEPTH = 300;

/** The maximum number of elements in all formulas of one answer. */
export const MAX_ELEMENTS_IN_ANSWER = 15_000;

/**
 * The number of elements of a rendered formula; undefined where there are too many, or they are nested too deeply,
 * for the page. It counts no further than that.
 */
export function weightOf(formula: Element): number | undefined {
  let count = 0;
  let depth = 0;
  let at: Element | null = formula;
  while (at) {
    count += 1;
    if (count > MAX_ELEMENTS || depth > MAX_ELEMENT_DEPTH) return undefined;
    if (at.firstElementChild) {
      at = at.firstElementChild;
      depth += 1;
      continue;
    }
    while (at && at !== formula && !at.nextElementSibling) {
      at = at.parentElement;
      depth -= 1;
    }
    if (!at || at === formula) break;
    at = at.nextElementSibling;
  }
  return count;
}
