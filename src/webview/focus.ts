// Every move of the focus by the pages. No other module of theirs calls the `focus` of an element (eslint.config.mjs).
//
// What is typed must not land in another box: a box gets the focus by an act of the user that is about it, and never
// because another box went away. What comes on its own, whenever it does, leaves a box that has the focus alone.

const COMPOSER = '.composer textarea:not(:disabled)';

/** The page opens, or its window gets the focus while nothing in it has. */
export function focusOpenPage(): void {
  if (document.activeElement === document.body) focusComposer();
}

/** What is selected of a text, as distances from its end. */
export interface SelectionFromEnd {
  readonly start: number;
  readonly end: number;
}

/**
 * The input of the opening document had the focus, and was replaced by that of the page, whose draft may stand before
 * what was typed.
 */
export function focusReplacedInput({ start, end }: SelectionFromEnd): void {
  const input = focusComposer();
  if (!(input instanceof HTMLTextAreaElement)) return;
  const { length } = input.value;
  input.setSelectionRange(length - start, length - end);
}

/** The user has sent a question or runs a command whose text goes into the composer. */
export function focusComposer(): HTMLElement | null {
  const input = document.querySelector<HTMLElement>(COMPOSER);
  input?.focus({ preventScroll: true });
  return input;
}

/** The user types in a box that is not the composer. */
export function isTypingElsewhere(): boolean {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && isTextBox(activeElement) && !activeElement.matches(COMPOSER);
}

/** The user opens an edit box, or has sent a follow-up from its box. */
export function focusTextBox(box: HTMLTextAreaElement | null): void {
  box?.focus({ preventScroll: true });
}

/** The user goes to a message, by keys or by a command. */
export function focusMessage(message: HTMLElement, options?: FocusOptions): void {
  message.focus(options);
}

/**
 * The user has answered the question of a tool call, whose buttons go away: the focus stays at the call. Or the user
 * has closed a list of buttons: it goes back to the button that opened it.
 */
export function focusControl(control: HTMLElement | null): void {
  control?.focus();
}

/**
 * When the focused element is removed or disabled, its nearest focusable ancestor gets the focus. Without one, it goes
 * from a control to the composer, and from a box in which the user types to the conversation.
 */
export function keepFocus(root: HTMLElement): void {
  /** The focused element and its ancestors, innermost first. */
  let chain: readonly HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    chain = target instanceof HTMLElement ? [target, ...around(target, root)] : [];
  });
  root.addEventListener('focusout', ({ target }) => {
    // Later, because removal also fires the event; after a click on nothing, the user has left it on purpose.
    setTimeout(() => {
      const [last] = chain;
      if (last === target && last.isConnected && !isDisabled(last) && document.activeElement !== last)
        chain = [];
    }, 0);
  });
  const observer = new MutationObserver(() => {
    const [last] = chain;
    if (!last || (last.isConnected && !isDisabled(last))) return;
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body && activeElement !== last) return;
    const next = chain.find((each) => each.isConnected && canHaveFocus(each));
    const input = isTextBox(last) ? null : root.querySelector<HTMLElement>(COMPOSER);
    (next ?? input ?? root.querySelector<HTMLElement>('.scroller'))?.focus({ preventScroll: true });
  });
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] });
}

function around(element: HTMLElement, root: HTMLElement): HTMLElement[] {
  const parents: HTMLElement[] = [];
  for (let at = element.parentElement; at && at !== root; at = at.parentElement) parents.push(at);
  return parents;
}

function canHaveFocus(element: HTMLElement): boolean {
  return (element.tabIndex >= 0 || element.hasAttribute('tabindex')) && !isDisabled(element);
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled');
}

function isTextBox(element: HTMLElement): boolean {
  return element.matches('textarea, input');
}
