import type { Fragment } from '../fragments/fragment.ts';

/** Turns the fragments of the system prompt into text. */
export interface ContextRenderer {
  /** Writes fragments as the system prompt of a model. Those of `resolve()` are settled, see `settled`. */
  render(fragments: readonly Fragment[]): string;
}

/** How fragments are written, in any format. */
export interface RendererOptions {
  /**
   * Groups fragments of the same name under its plural, in the place of the first; also nested ones, and single ones.
   * @example
   * ```ts
   * const renderer = new XmlRenderer({ groupFragments: true });
   * assert.equal(
   *   renderer.render([hint('Be brief.'), role('A poet.'), hint('Be kind.')]),
   *   [
   *     '<hints>',
   *     '  <hint>Be brief.</hint>',
   *     '  <hint>Be kind.</hint>',
   *     '</hints>',
   *     '<roles>',
   *     '  <role>A poet.</role>',
   *     '</roles>',
   *   ].join('\n'),
   * );
   * ```
   */
  readonly groupFragments?: boolean;
}
