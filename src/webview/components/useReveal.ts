import { useLayoutEffect } from 'preact/hooks';
import type { Page } from '../state/page.ts';
import type { Scrolling } from './useScrolling.ts';

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
    message.focus({ preventScroll: true });
    const centre = (): void => {
      message.scrollIntoView({ block: 'center' });
      drawn.look();
    };
    centre();
    // Elements that came into view are now laid out, and may be taller than estimated.
    requestAnimationFrame(centre);
    const colour = getComputedStyle(message).getPropertyValue('--vscode-editor-findMatchHighlightBackground');
    const wantsMotion = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (colour !== '' && wantsMotion) message.animate({ backgroundColor: [colour, 'transparent'] }, FLASH_MS);
  }, [wanted, conversation, ids, drawn.ids]);
}
