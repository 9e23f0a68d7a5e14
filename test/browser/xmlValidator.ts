/** Checks XML with the browser's own parser; the one of the tests in Node needs Node. */
export const SyntaxValidator = {
  validate(document: string): true | string {
    const parsed = new DOMParser().parseFromString(document, 'application/xml');
    return parsed.querySelector('parsererror')?.textContent ?? true;
  },
};
