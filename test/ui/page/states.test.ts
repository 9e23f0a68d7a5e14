import assert from 'node:assert/strict';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { resultFile } from '../support/evidence.ts';
import { accessFaults } from './harness/accessFaults.ts';
import { showState } from './harness/openState.ts';
import { pageStates } from './harness/states.ts';
import { useServedPage, type PageOptions } from './harness/useServedPage.ts';

/** What nobody has to scroll sideways for, and buttons that are squeezed. */
const WHAT_DOES_NOT_FIT = `[
  ...[...document.querySelectorAll('body, main, .scroller, .message, .aside, .composer, .composer-bar, .header, .look-back, .look-back-actions, .look-back-files, .edit-bar, .try, .try-foot, .graph-toolbar, .graph-preview')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.className + ' is ' + (e.scrollWidth - e.clientWidth) + ' too wide'),
  ...[...document.querySelectorAll('.icon-button')]
    .filter((e) => e.offsetWidth > 0 && e.offsetWidth < 18)
    .map((e) => e.getAttribute('aria-label') + ' is ' + e.offsetWidth + ' wide'),
]`;

/** Pages of any surface, each shown by its test. */
function useSurfaces(options: PageOptions): () => { readonly page: Page; readonly origin: string } {
  return useServedPage(options, (page, origin) =>
    Promise.resolve({
      page,
      origin,
      faults: () => page.evaluate<string[]>('window.faults'),
      screenshot: async (name) => {
        await page.screenshot({ path: resultFile(`page-${name}`, '.png') });
      },
    }),
  );
}

describe('everything the pages can show', () => {
  const use = useSurfaces({ viewport: { width: 280, height: 700 }, script: axe.source });

  for (const state of pageStates) {
    it(`can be used by everybody in the narrowest side bar, also at 200 %: ${state.name}`, async () => {
      const { page, origin } = use();
      await showState(page, origin, state);
      assert.deepEqual(await page.evaluate(WHAT_DOES_NOT_FIT), []);
      assert.deepEqual(await accessFaults(page), []);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, 'something moves');
      await page.setViewportSize({ width: 140, height: 350 });
      assert.deepEqual(await page.evaluate(WHAT_DOES_NOT_FIT), [], 'at 200 %');
    });
  }
});

describe('the pages in the colors of the system', () => {
  const use = useSurfaces({ viewport: { width: 400, height: 700 }, theme: 'Default High Contrast' });

  for (const name of ['keyboard on a message', 'versions', 'alternatives', 'graph']) {
    it(`say by an outline where the keyboard is: ${name}`, async () => {
      const { page, origin } = use();
      await showState(page, origin, pageStates.find((state) => state.name === name) ?? assert.fail());
      await page.emulateMedia({ forcedColors: 'active' });
      const without: string[] = [];
      for (let press = 0; press < 12; press++) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate<string | undefined>(`(() => {
          const at = document.activeElement;
          if (at === document.body || at.matches('textarea')) return undefined;
          const seen = at.matches('.graph-scroller') ? document.querySelector('.graph-row.focused') : at;
          const { outlineStyle, outlineWidth } = getComputedStyle(seen);
          return outlineStyle === 'none' || outlineWidth === '0px' ? at.outerHTML.slice(0, 120) : undefined;
        })()`);
        if (found !== undefined) without.push(found);
      }
      assert.deepEqual(without, []);
    });
  }
});
