// The first that the page of the chat loads. VS Code shows a page once its document has loaded whatever it names, or after
// 200 ms, and a page that is not shown has no keyboard: so the document names this alone, and the rest comes once the
// input has been painted.

/** The page is shown by then, whether it was told that its document has loaded or not, in milliseconds. */
const SHOWN_MS = 200;

/** Brings the keyboard to the input when it comes to the page and to nothing in it. */
function takeKeyboard(): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('textarea:not(:disabled)')?.focus({ preventScroll: true });
}

/** The same where the page has the keyboard already. */
function takeKeyboardIfHere(): void {
  if (document.hasFocus()) takeKeyboard();
}

let isLoading = false;

function loadPage(): void {
  if (isLoading) return;
  isLoading = true;
  painted.disconnect();
  takeKeyboardIfHere();
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[as]')) {
    if (link.as === 'script') void import(link.href);
    else {
      // Nobody waits for what does not come.
      link.addEventListener('error', () => link.remove(), { once: true });
      link.rel = 'stylesheet';
    }
  }
}

/** Styles that are asked for while the document loads are waited for with it. */
function loadPageOnceLoaded(): void {
  if (document.readyState === 'complete') loadPage();
  else window.addEventListener('load', loadPage, { once: true });
}

/** What the rest begins with would hold up the frame in which the input is painted for the first time. */
const painted = new PerformanceObserver(() => loadPageOnceLoaded());
painted.observe({ type: 'paint', buffered: true });

window.addEventListener('focus', takeKeyboard);
if (document.readyState === 'complete') takeKeyboardIfHere();
else window.addEventListener('load', takeKeyboardIfHere, { once: true });
// A page that is covered is not painted.
setTimeout(loadPage, SHOWN_MS);
