import type { Page } from './state/page.ts';
import type { Host } from './answersConnection.ts';
import { useEffect } from 'preact/hooks';
import { usePage } from './components/pageContext.ts';
import { isOfInputMethod } from './inputMethod.ts';

/**
 * Keys for the whole page: Alt+Up and Alt+Down move between questions, Ctrl+Shift+O and Ctrl+F (on a Mac, Cmd) to any
 * message, by its words.
 * They are handled here, as the workbench does not know whether this page has the focus.
 */
export function listenToKeys(page: Page): void {
  const listen = (event: KeyboardEvent): void => {
    if (isOfInputMethod(event) || !act(page, event)) return;
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
  // On a Mac, Ctrl+F moves the caret.
  const isFind = navigator.userAgent.includes('Mac') ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if ((ctrlKey || metaKey) && shiftKey && !altKey && key.toLowerCase() === 'o') {
    page.host.send({ type: 'runCommandHere', command: 'goToMessage' });
    return true;
  }
  if (isFind && !shiftKey && !altKey && key.toLowerCase() === 'f') {
    page.host.send({ type: 'runCommandHere', command: 'goToMessage' });
    return true;
  }
  return false;
}

/**
 * The second click of a double click, and a key that is held down, press no button: by then another one may be in its
 * place. A button with `data-steps` is pressed several times in a row.
 */
export function ignoreSecondClicks(): void {
  const isButton = ({ target }: Event): boolean => {
    const button = target instanceof Element ? target.closest('button') : null;
    return button !== null && button.dataset['steps'] === undefined;
  };
  const ignore = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener('click', (event) => event.detail > 1 && isButton(event) && ignore(event), true);
  window.addEventListener(
    'keydown',
    (event) => event.repeat && event.key === 'Enter' && isButton(event) && ignore(event),
    true,
  );
}

/** Links of answers go to the host, which checks them before opening. */
export function openLinksThrough(host: Host): void {
  const open = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest('[data-href]') : null;
    const href = link?.getAttribute('data-href');
    if (href === undefined || href === null) return;
    event.preventDefault();
    host.send({ type: 'openLink', href });
  };
  document.addEventListener('click', open);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open(event);
  });
}

/** Reports when the page gets the focus: commands apply to the chat that had it last. */
export function useFocusNotice(): void {
  const page = usePage();
  useEffect(() => {
    const onFocus = (): void => page.host.send({ type: 'focused' });
    window.addEventListener('focus', onFocus);
    // The page may already have it: a hidden page that is shown again starts from scratch.
    if (document.hasFocus()) onFocus();
    return () => window.removeEventListener('focus', onFocus);
  }, [page]);
}

/** The maximum time between the two presses, in milliseconds. */
const TWICE_MS = 700;

/** Escape, pressed twice while nothing is being written or handles it, lists the questions to rewind to. */
export function useDoubleEscape(): void {
  const page = usePage();
  useEffect(() => {
    let last = -Infinity;
    const onKeyDown = (event: KeyboardEvent): void => {
      const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      const isFree = event.key === 'Escape' && isPlain && !isOfInputMethod(event) && !event.defaultPrevented;
      const { messageCount = 0, isReadOnly = true } = page.conversation.value ?? {};
      if (!isFree || event.repeat || page.runningId.value !== undefined || messageCount === 0 || isReadOnly) {
        last = -Infinity;
        return;
      }
      if (event.timeStamp - last > TWICE_MS) {
        last = event.timeStamp;
        return;
      }
      last = -Infinity;
      page.host.send({ type: 'runCommandHere', command: 'rewind' });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [page]);
}
