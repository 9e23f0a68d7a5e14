import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { z } from 'zod';
import type { Page } from '../state/page.ts';
import { topMessage, type Scrolling } from './useScrolling.ts';

/** How often the position is stored during scrolling, in milliseconds. */
const INTERVAL_MS = 100;

/** The maximum number of frames to restore a position, and in how many of them it must be stable. */
const MAX_FRAMES = 60;
const STILL_FRAMES = 4;

const placeSchema = z.object({
  chatId: z.string(),
  branch: z.string(),
  messageId: z.string(),
  /** The distance of the message below the top of the viewport, in pixels. */
  offset: z.number(),
});
export type Place = z.infer<typeof placeSchema>;
const memorySchema = z.object({ place: placeSchema.optional() }).catch({});

/** Restores it after the page was hidden. @returns a function that goes back to a place */
export function useRememberedPosition(page: Page, scrolling: Scrolling): (place: Place) => void {
  const { scroller, drawn } = scrolling;
  const { memory } = page.host;
  const conversation = page.conversation.value;
  const ids = page.ids.value;
  /** The place to restore, until that is done. */
  const wanted = useRef<Place | undefined>(memorySchema.parse(memory.get()).place);

  const seek = (): void => {
    const place = wanted.current;
    const list = scroller.current;
    if (!place || !list || !conversation) return;
    const isHere = conversation.chat.id === place.chatId && conversation.branch === place.branch;
    const message = isHere && list.querySelector(`[data-message-id="${CSS.escape(place.messageId)}"]`);
    if (message) {
      goBack(list, message, place.offset, scrolling, () => {
        wanted.current = undefined;
      });
    } else if (isHere && ids.includes(place.messageId)) drawn.require(place.messageId);
    else if (isHere && page.missing.value > 0) page.loadEarlier(place.messageId);
    else wanted.current = undefined;
  };
  useLayoutEffect(seek, [conversation, ids, drawn.ids]);

  useEffect(() => {
    const list = scroller.current;
    if (!list) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOwed = false;
    const keep = (): void => {
      isOwed = false;
      if (!wanted.current) memory.set({ place: placeOf(page, list) });
    };
    // At once, and again after the interval: the page may be closed at any moment.
    const onScroll = (): void => {
      if (timer !== undefined) {
        isOwed = true;
        return;
      }
      keep();
      timer = setTimeout(() => {
        timer = undefined;
        if (isOwed) onScroll();
      }, INTERVAL_MS);
    };
    list.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      list.removeEventListener('scroll', onScroll);
    };
  }, []);

  return (place) => {
    wanted.current = place;
    seek();
  };
}

/**
 * Scrolls a message back to its position. What is near is drawn only then, and may be taller than the gap before it:
 * this is repeated in several frames, until the message is stable or the user scrolls.
 */
function goBack(
  list: HTMLElement,
  message: Element,
  offset: number,
  { stay, drawn }: Scrolling,
  done: () => void,
): void {
  let left = MAX_FRAMES;
  let still = 0;
  const end = (): void => {
    left = 0;
    list.removeEventListener('wheel', end);
    list.removeEventListener('pointerdown', end);
    done();
  };
  list.addEventListener('wheel', end, { passive: true });
  list.addEventListener('pointerdown', end);
  const move = (): void => {
    if (left === 0) return;
    left -= 1;
    stay();
    const away = message.getBoundingClientRect().top - list.getBoundingClientRect().top - offset;
    still = Math.abs(away) < 1 ? still + 1 : 0;
    if (still === STILL_FRAMES || left === 0) end();
    else {
      list.scrollTop += away;
      drawn.look(false);
      requestAnimationFrame(move);
    }
  };
  move();
}

/** Undefined at the end, because the position to restore there is the end itself. */
export function placeOf(page: Page, list: HTMLElement): Place | undefined {
  const { scrollHeight, scrollTop, clientHeight } = list;
  const conversation = page.conversation.peek();
  const message = topMessage(list);
  const messageId = message?.getAttribute('data-message-id');
  if (!conversation || !message || typeof messageId !== 'string') return undefined;
  if (scrollHeight - scrollTop - clientHeight < 2) return undefined;
  return {
    chatId: conversation.chat.id,
    branch: conversation.branch,
    messageId,
    offset: message.getBoundingClientRect().top - list.getBoundingClientRect().top,
  };
}
