import type { Browser, Locator } from 'playwright-core';
import type { PageElement } from '../support/pageElement.ts';
import { themes, type Theme } from '../support/settings.ts';
import type { Workbench } from '../support/workbench.ts';
import { writeSheet, type Tile } from './sheet.ts';

/** As narrow as a side bar may be, an ordinary one, and a panel. */
export const widths = [240, 400, 800];
const usualWidth = 300;

/** Something that VS Code draws of the extension, and what brings it onto the screen. */
export interface Scene {
  readonly name: string;
  readonly show: (workbench: Workbench) => Promise<void>;
  readonly hide?: (workbench: Workbench) => Promise<void>;
  /** What to take a picture of; else the window. The side bar is taken in three widths. */
  readonly of?: 'sidebar' | 'editor' | 'quickInput' | 'notifications';
}

const places = {
  sidebar: '.part.sidebar',
  editor: '.part.editor',
  quickInput: '.quick-input-widget',
  notifications: '.notifications-center.visible',
} as const;

/** A sheet for each scene whose name has these words, in four themes; one scene follows the other. */
export async function writeScenes(
  browser: Browser,
  workbench: Workbench,
  scenes: readonly Scene[],
  words: string,
): Promise<void> {
  await play(workbench, scenes, async (scene) => {
    if (!scene.name.includes(words)) return;
    const rows = await picturesOf(workbench, scene);
    await writeSheet(browser, `workbench ${scene.name}`, hasOwnRows(scene) ? rows : twoAndTwo(rows));
    console.log(scene.name);
  });
}

/** Brings one scene after the other onto the screen. */
export async function play(
  workbench: Workbench,
  scenes: readonly Scene[],
  shown: (scene: Scene) => Promise<void>,
): Promise<void> {
  await workbench.openOffshoot();
  await workbench.setSidebarWidth(usualWidth);
  for (const scene of scenes) {
    try {
      await scene.show(workbench);
      await shown(scene);
      await scene.hide?.(workbench);
    } catch (error) {
      await workbench.keepEvidence(`sheet ${scene.name}`);
      throw error;
    }
  }
}

/** Whether the pictures of one theme fill a row. */
const hasOwnRows = ({ of }: Scene): boolean => of === 'sidebar' || of === 'quickInput';

const twoAndTwo = (rows: readonly Tile[][]): Tile[][] => [rows.slice(0, 2).flat(), rows.slice(2).flat()];

/** The pictures of what is shown, of each theme in a row. */
export async function picturesOf(workbench: Workbench, { name, of }: Scene): Promise<Tile[][]> {
  const rows: Tile[][] = [];
  for (const theme of Object.keys(themes) as Theme[]) {
    await workbench.setTheme(theme);
    const row: Tile[] = [];
    for (const width of of === 'sidebar' ? widths : [undefined]) {
      if (width !== undefined) await workbench.setSidebarWidth(width);
      // No tooltip of what the pointer is left on.
      await workbench.page.mouse.move(900, 2);
      // Pages take a theme a moment after the workbench.
      await workbench.page.waitForTimeout(700);
      row.push({
        title: `${name} · ${theme}${width === undefined ? '' : ` · ${width}`}`,
        png: await picture(workbench, of),
      });
    }
    rows.push(row);
  }
  if (of === 'sidebar') await workbench.setSidebarWidth(usualWidth);
  return rows;
}

async function picture({ page }: Workbench, of: Scene['of']): Promise<Buffer> {
  if (of === undefined) return page.screenshot();
  const place = page.locator(places[of]).first();
  await place.waitFor();
  const box = await place.boundingBox();
  if (!box) throw new Error(`There is no ${of} to take a picture of.`);
  return page.screenshot({ clip: box });
}

/** Waits until all rows of a list have stood still: some of them come later. */
export async function settled(rows: Locator): Promise<void> {
  let before = '';
  for (;;) {
    const now = (
      await rows.evaluateAll((all: PageElement[]) => all.map(({ textContent }) => textContent))
    ).join();
    if (now !== '' && now === before) return;
    before = now;
    await rows.page().waitForTimeout(300);
  }
}
