// The first script of the chat page, which stands in its document. VS Code shows a page once its document has loaded
// everything it names, or after 200 ms, and a hidden page has no focus: so the document names nothing, and the rest is
// loaded once the input has been painted. While it loads, the host reads the conversation.
import { pageParts } from 'page-parts';
import { focusOpenPage } from './focus.ts';
import { openConnection } from './openingConnection.ts';

/** By then the page is shown, even if its document has not loaded, in milliseconds. */
const SHOWN_MS = 200;

function takeKeyboardIfHere(): void {
  if (document.hasFocus()) focusOpenPage();
}

let isLoading = false;

function loadPage(): void {
  if (isLoading) return;
  isLoading = true;
  painted.disconnect();
  takeKeyboardIfHere();
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[as]')) {
    if (link.as === 'script') loadScript(link.href);
    else {
      // Nothing waits for a file that does not load.
      link.addEventListener('error', () => link.remove(), { once: true });
      link.rel = 'stylesheet';
    }
  }
}

/** With what it imports: the browser would ask for that only once it has the script. */
function loadScript(script: string): void {
  void import(script);
  // The script reports what it cannot load.
  for (const part of pageParts) import(new URL(part, script).href).catch(() => undefined);
}

/** Styles requested while the document loads would delay its load event. */
function loadPageOnceLoaded(): void {
  if (document.readyState === 'complete') loadPage();
  else window.addEventListener('load', loadPage, { once: true });
}

/** Starting the rest would delay the first frame with the input. */
const painted = new PerformanceObserver(() => loadPageOnceLoaded());
painted.observe({ type: 'paint', buffered: true });

openConnection();
window.addEventListener('focus', focusOpenPage);
if (document.readyState === 'complete') takeKeyboardIfHere();
else window.addEventListener('load', takeKeyboardIfHere, { once: true });
// A covered page is not painted.
setTimeout(loadPage, SHOWN_MS);
