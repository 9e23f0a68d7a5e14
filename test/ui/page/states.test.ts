import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { loadHost } from '../support/host.ts';
import { applyTheme, themeNames } from './harness/chat.ts';
import { openState } from './harness/openState.ts';
import { PageServer } from './harness/server.ts';
import { pageStates } from './harness/states.ts';

/** What nobody has to scroll sideways for, and buttons that are squeezed. */
const WHAT_DOES_NOT_FIT = `[
  ...[...document.querySelectorAll('body, main, .scroller, .message, .aside, .composer, .composer-bar, .header, .edit-bar, .try, .try-foot, .graph-toolbar, .graph-preview')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1)
    .map((e) => e.className + ' is ' + (e.scrollWidth - e.clientWidth) + ' too wide'),
  ...[...document.querySelectorAll('.icon-button')]
    .filter((e) => e.offsetWidth > 0 && e.offsetWidth < 18)
    .map((e) => e.getAttribute('aria-label') + ' is ' + e.offsetWidth + ' wide'),
]`;

async function seriousFaults(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document.querySelector('main'), { resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 150)}: ${failureSummary ?? ''}`),
    );
}

describe('everything the pages can show', () => {
  let server: PageServer;
  before('serve the pages', async () => {
    server = await PageServer.start();
  });
  after('stop serving', async () => server.stop());

  for (const state of pageStates) {
    it(`can be used by everybody in the narrowest side bar, also at 200 %: ${state.name}`, async () => {
      const browser = await (await loadHost()).sharedBrowser();
      const size = { theme: themeNames[0] ?? 'Default Dark Modern', width: 280, height: 700 } as const;
      const page = await openState(browser, server.origin, state, size);
      try {
        assert.deepEqual(await page.evaluate(WHAT_DOES_NOT_FIT), []);
        await page.evaluate(axe.source);
        for (const theme of themeNames) {
          await page.evaluate(applyTheme(theme));
          assert.deepEqual(await seriousFaults(page), [], theme);
        }
        await page.emulateMedia({ reducedMotion: 'reduce' });
        assert.equal(await page.evaluate('document.getAnimations().length'), 0, 'something moves');
        await page.setViewportSize({ width: 140, height: 350 });
        assert.deepEqual(await page.evaluate(WHAT_DOES_NOT_FIT), [], 'at 200 %');
        assert.deepEqual(await page.evaluate('window.faults'), []);
      } finally {
        await page.context().close();
      }
    });
  }
});

describe('the pages in the colours of the system', () => {
  it('say by an outline where the keyboard is', async () => {
    const browser = await (await loadHost()).sharedBrowser();
    const server = await PageServer.start();
    try {
      for (const state of pageStates.filter(({ name }) =>
        ['keyboard on a message', 'versions', 'alternatives', 'graph'].includes(name),
      )) {
        const size = { theme: 'Default High Contrast', width: 400, height: 700 } as const;
        const page = await openState(browser, server.origin, state, size);
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
        assert.deepEqual(without, [], state.name);
        await page.context().close();
      }
    } finally {
      await server.stop();
    }
  });
});
