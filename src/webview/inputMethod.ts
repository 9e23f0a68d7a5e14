/** The key code of what an input method handles: https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode */
const OF_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method, as Enter does that ends a composition. WebKit reports the end before that
 * key, which then counts as composing no more: only its key code tells.
 */
export function isOfInputMethod(event: KeyboardEvent): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return event.isComposing || event.keyCode === OF_INPUT_METHOD;
}
