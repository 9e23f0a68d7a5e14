import { until } from '../../../fixtures/until.ts';
import type { Chat } from './chat.ts';

/** What lies over a box, looked at in a grid of points. */
export function coverOf(selector: string): string {
  return `(() => {
    const card = document.querySelector(${JSON.stringify(selector)});
    card.scrollIntoView({ block: 'center' });
    const { left, top, width, height } = card.getBoundingClientRect();
    const found = new Set();
    for (let x = 1; x < width; x += 6) {
      for (let y = 1; y < height; y += 4) {
        const hit = document.elementFromPoint(left + x, top + y);
        if (hit && !card.contains(hit) && !hit.contains(card)) found.add(hit.closest('.markdown') ? 'markdown: ' + hit.className : hit.className);
      }
    }
    return [...found];
  })()`;
}

/** Waits until all formulas are laid out. */
export async function laidOut(chat: Chat): Promise<void> {
  await until(
    async () => (await chat.page.locator('[data-tex]:not([data-shown])').count()) === 0,
    'the formulas',
  );
  await chat.frame();
}
