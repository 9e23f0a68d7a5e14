import { loadHost } from '../support/host.ts';
import { applyTheme, themeNames, type ThemeName } from '../page/harness/chat.ts';
import { openState } from '../page/harness/openState.ts';
import { PageServer } from '../page/harness/server.ts';
import { pageStates } from '../page/harness/states.ts';
import { writeSheet, type Tile } from './sheet.ts';

/** As narrow as a side bar may be, an ordinary one, and a panel. */
const widths = [240, 400, 800];
const height = 620;
const firstTheme: ThemeName = 'Default Dark Modern';

/** A sheet for each state of the pages whose name has these words: four themes below each other, three widths each. */
export async function writePageSheets(words: string): Promise<void> {
  const browser = await (await loadHost()).sharedBrowser();
  const server = await PageServer.start();
  try {
    for (const state of pageStates.filter(({ name }) => name.includes(words))) {
      const rows = new Map<ThemeName, Tile[]>(themeNames.map((theme) => [theme, []]));
      for (const width of widths) {
        const page = await openState(browser, server.origin, state, { theme: firstTheme, width, height });
        for (const [theme, row] of rows) {
          await page.evaluate(applyTheme(theme));
          row.push({ title: `${state.name} · ${theme} · ${width}`, png: await page.screenshot() });
        }
        await page.context().close();
      }
      await writeSheet(browser, state.name, [...rows.values()]);
      console.log(state.name);
    }
  } finally {
    await server.stop();
  }
}
