/**
 * Preserves the focus: when the focused element is removed, because it was dismissed or redrawn differently, the
 * nearest focusable ancestor gets the focus, or else the input. Otherwise it would be lost.
 */
export function keepFocus(root: HTMLElement): void {
  /** The focused element and its ancestors, innermost first. */
  let chain: readonly HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    chain = target instanceof HTMLElement ? [target, ...around(target, root)] : [];
  });
  root.addEventListener('focusout', ({ target }) => {
    // Later, because removal also fires the event; after a click on nothing, the user has left the element on
    // purpose.
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
    const input = root.querySelector<HTMLElement>('textarea:not(:disabled)');
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
