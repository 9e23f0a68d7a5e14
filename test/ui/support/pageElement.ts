/** As much of a DOM element as the tests read in the page; they are compiled without the types of a browser. */
export interface PageElement {
  readonly textContent: string | null;
  checkVisibility(): boolean;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}
