import type { Page } from 'playwright-core';
import { applyTheme, themeNames } from './chat.ts';

/** The rules of axe that look at colors and at sizes. What the others look at is the same in every theme. */
const RULES_OF_THEMES = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable'];

/**
 * Looks at the page in one theme after the other; the last one stays. The document has to have axe.
 * @param looks an expression that gives more texts of what is wrong in a theme
 * @returns what keeps a user from using the page, each with its theme
 */
export async function accessFaults(page: Page, looks = '[]'): Promise<string[]> {
  const steps = themeNames.map(
    (theme, index) => `
      ${applyTheme(theme)}
      await look(${JSON.stringify(theme)}, ${JSON.stringify(index === 0 ? {} : { runOnly: RULES_OF_THEMES })}, ${looks});`,
  );
  return page.evaluate<string[]>(`(async () => {
    const found = [];
    const look = async (theme, options, looked) => {
      const { violations } = await axe.run(document.querySelector('main'), { ...options, resultTypes: ['violations'] });
      const faults = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
          id + ': ' + html.slice(0, 150) + ': ' + (failureSummary ?? '')));
      found.push(...[...faults, ...looked].map((fault) => theme + ': ' + fault));
    };
    ${steps.join('')}
    return found;
  })()`);
}
