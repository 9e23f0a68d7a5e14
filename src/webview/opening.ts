// The first that the page of the chat loads. VS Code shows a page once its document has loaded whatever it names, or after
// 200 ms, and a page that is not shown has no keyboard: so the document names this alone, and the rest comes after it.

/** Brings the keyboard to the input when it comes to the page and to nothing in it. */
function takeKeyboard(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('textarea:not(:disabled)')?.focus({ preventScroll: true });
}

function loadPage(): void {
  if (document.hasFocus()) takeKeyboard();
  // They were fetched meanwhile.
  for (const styles of document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]'))
    styles.rel = 'stylesheet';
  void import('./main.js');
}

window.addEventListener('focus', takeKeyboard);
if (document.readyState === 'complete') loadPage();
else window.addEventListener('load', loadPage, { once: true });
