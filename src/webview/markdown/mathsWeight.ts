/** Elements of one formula once it is laid out, and how deep they stand in one another. */
const MAX_ELEMENTS = 10_000;
const MAX_ELEMENT_DEPTH = 300;

/** Elements of all formulas of one answer. */
export const MAX_ELEMENTS_IN_ANSWER = 40_000;

/**
 * How many elements a formula that was laid out consists of; undefined where these are too many, or too deep, to be put
 * into the page. It looks no further than that.
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
