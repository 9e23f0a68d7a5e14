import type { Page } from './state/page.ts';

/**
 * Keys for the whole page: Alt+Up and Alt+Down move between questions, Ctrl+Shift+O (on a Mac, Cmd) to any message.
 * They are handled here, as the workbench does not know whether this page has the focus.
 */
export function listenToKeys(page: Page): void {
  const listen = (event: KeyboardEvent): void => {
    if (event.isComposing || !act(page, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // In the capture phase, so that the workbench does not get the same key.
  window.addEventListener('keydown', listen, { capture: true });
}

function act(page: Page, { key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  if (altKey && !ctrlKey && !metaKey && !shiftKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    page.stepQuestion(key === 'ArrowUp' ? 'previous' : 'next');
    return true;
  }
  if ((ctrlKey || metaKey) && shiftKey && !altKey && key.toLowerCase() === 'o') {
    page.host.send({ type: 'runCommandHere', command: 'goToMessage' });
    return true;
  }
  return false;
}
