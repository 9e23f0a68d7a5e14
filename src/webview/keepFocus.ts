/**
 * Keeps the keyboard in place: when what has it goes away, because it was dismissed or is drawn differently now, the
 * nearest thing around it that can have it gets it, or else the input. Without this it would be nowhere.
 */
export function keepFocus(root: HTMLElement): void {
  /** What has the keyboard, and what it stands in, innermost first. */
  let chain: readonly HTMLElement[] = [];
  root.addEventListener('focusin', ({ target }) => {
    chain = target instanceof HTMLElement ? [target, ...around(target, root)] : [];
  });
  root.addEventListener('focusout', ({ target }) => {
    // Later, for what is taken away leaves as well: whoever clicked at nothing has left of their own will.
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
