import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusMessage } from '../focus.ts';
import type { Page, Step } from '../state/page.ts';
import { placeOf, type Place } from './useRememberedPosition.ts';
import { topMessage, type Scrolling } from './useScrolling.ts';

export function useMessageNavigation(
  page: Page,
  { scroller, drawn, stay, toEnd }: Scrolling,
  returnTo: (place: Place) => void,
): void {
  const steps = page.steps.value;
  const ids = page.ids.value;
  /** The position before the first preview; without a place, at the end. */
  const before = useRef<{ readonly place: Place | undefined } | undefined>(undefined);
  /** The wanted message is further up, and is being loaded. */
  const awaited = useRef<Step | undefined>(undefined);

  const fetch = (wanted: Step, messageId?: string): void => {
    const isKnown = messageId !== undefined && ids.includes(messageId);
    if (!isKnown && page.missing.value === 0) return;
    awaited.current = wanted;
    if (isKnown) drawn.require(messageId);
    else page.loadEarlier(messageId);
  };

  const preview = (list: HTMLElement, messageId: string): void => {
    const message = list.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
    if (!message) {
      fetch({ type: 'messagePreviewed', messageId }, messageId);
      return;
    }
    before.current ??= { place: placeOf(page, list) };
    stay();
    for (const other of list.querySelectorAll('.previewed')) other.classList.remove('previewed');
    message.classList.add('previewed');
    message.scrollIntoView({ block: 'center' });
    drawn.look();
  };

  const endPreview = (list: HTMLElement): void => {
    for (const message of list.querySelectorAll('.previewed')) message.classList.remove('previewed');
    const was = before.current;
    before.current = undefined;
    if (was?.place) returnTo(was.place);
    else if (was) toEnd();
  };

  const step = (list: HTMLElement, direction: 'previous' | 'next'): void => {
    const found = neighbour(list, ids, direction);
    if (found instanceof HTMLElement) {
      stay();
      focusMessage(found, { preventScroll: true });
      found.scrollIntoView({ block: 'start' });
      drawn.look();
    } else if (found !== undefined || direction === 'previous')
      fetch({ type: 'questionStepped', direction }, found);
  };

  const enter = (list: HTMLElement, messageId: string): void => {
    const message = list.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(messageId)}"]`);
    if (message) focusMessage(message);
    else fetch({ type: 'messageEntered', messageId }, messageId);
  };

  const carryOut = (list: HTMLElement, wanted: Step): void => {
    switch (wanted.type) {
      case 'messagePreviewed':
        preview(list, wanted.messageId);
        break;
      case 'previewEnded':
        endPreview(list);
        break;
      case 'questionStepped':
        step(list, wanted.direction);
        break;
      case 'messageEntered':
        enter(list, wanted.messageId);
        break;
    }
  };

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list || steps.length === 0) return;
    page.steps.value = [];
    awaited.current = undefined;
    for (const wanted of steps) carryOut(list, wanted);
  }, [steps]);

  useLayoutEffect(() => {
    const wanted = awaited.current;
    awaited.current = undefined;
    if (wanted && scroller.current) carryOut(scroller.current, wanted);
  }, [ids, drawn.ids]);
}

/** Starts at the focused message, or at the top of the viewport. An id: that message on the way is not drawn. */
function neighbour(
  list: HTMLElement,
  ids: readonly string[],
  direction: 'previous' | 'next',
): HTMLElement | string | undefined {
  const focused = list.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('.message')
    : undefined;
  const from = (focused ?? topMessage(list))?.dataset['messageId'];
  const drawn = new Map(
    [...list.querySelectorAll<HTMLElement>('.message')].map((message) => [
      message.dataset['messageId'],
      message,
    ]),
  );
  const step = direction === 'next' ? 1 : -1;
  const start = from === undefined ? ids.length - 1 : ids.indexOf(from) + step;
  for (let at = start; at >= 0 && at < ids.length; at += step) {
    const id = ids[at];
    const message = drawn.get(id);
    if (!message) return id;
    if (message.matches('.user')) return message;
  }
  return undefined;
}

/** How long a revealed message is highlighted, in milliseconds. */
const FLASH_MS = 2_000;

/** Scrolls the message requested by the host into view and focuses it; loads it if it is missing. */
export function useReveal(page: Page, { scroller, drawn, stay }: Scrolling): void {
  const wanted = page.revealed.value;
  const conversation = page.conversation.value;
  const ids = page.ids.value;
  useLayoutEffect(() => {
    const list = scroller.current;
    if (wanted === undefined || !list || !conversation) return;
    const message = list.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(wanted)}"]`);
    if (!message) {
      if (ids.includes(wanted)) drawn.require(wanted);
      else if (page.missing.value > 0) page.loadEarlier(wanted);
      else page.revealed.value = undefined;
      return;
    }
    page.revealed.value = undefined;
    stay();
    focusMessage(message, { preventScroll: true });
    const centre = (): void => {
      message.scrollIntoView({ block: 'center' });
      drawn.look();
    };
    centre();
    // What is near was a gap of an estimated height, and is drawn now.
    requestAnimationFrame(centre);
    const color = getComputedStyle(message).getPropertyValue('--vscode-editor-findMatchHighlightBackground');
    const wantsMotion = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (color !== '' && wantsMotion) message.animate({ backgroundColor: [color, 'transparent'] }, FLASH_MS);
  }, [wanted, conversation, ids, drawn.ids]);
}
