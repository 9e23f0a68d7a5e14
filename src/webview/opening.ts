// The first that the page of the chat loads. VS Code shows a page once its document has loaded whatever it names, or after
// 200 ms, and a page that is not shown has no keyboard: so the document names this alone, and the rest comes after it.

/** The page is shown by then, whether it was told that its document has loaded or not, in milliseconds. */
const SHOWN_MS = 200;

/** Brings the keyboard to the input when it comes to the page and to nothing in it. */
function takeKeyboard(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('textarea:not(:disabled)')?.focus({ preventScroll: true });
}

let isLoading = false;

function loadPage(): void {
  if (isLoading) return;
  isLoading = true;
  if (document.hasFocus()) takeKeyboard();
  // They were fetched meanwhile.
  for (const styles of document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]')) {
    // Nobody waits for what does not come.
    styles.addEventListener('error', () => styles.remove(), { once: true });
    styles.rel = 'stylesheet';
  }
  void import('./main.js');
}

window.addEventListener('focus', takeKeyboard);
window.addEventListener('load', loadPage, { once: true });
setTimeout(loadPage, document.readyState === 'complete' ? 0 : SHOWN_MS);
