import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { exactly } from './text.ts';
import { until } from '../../fixtures/until.ts';

/** An entry, or that of a submenu and one in it. */
export type MenuPath = string | readonly string[];

function pathOf(entry: MenuPath): readonly string[] {
  return typeof entry === 'string' ? [entry] : entry;
}

/** Without those of a submenu that is open in it. */
const OWN_ENTRIES = ':scope > .monaco-action-bar > .actions-container > .action-item';

/** The menu that a right click or a `…` button opens. */
export class ContextMenu {
  private readonly menu: Locator;
  /** Of an entry of the menu. */
  private readonly submenu: Locator;

  constructor(page: Page) {
    this.menu = page.locator('.monaco-menu:not(.monaco-submenu .monaco-menu)').last();
    this.submenu = page.locator('.monaco-submenu .monaco-menu').last();
  }

  /**
   * Opens the menu of something and picks an entry of it. Whatever takes the focus closes a menu again, as the end of
   * the action before may do: then there is another try.
   * @param entry one of a submenu comes after that of the submenu
   * @param offered all that the menu must have, in order
   */
  async pickOn(target: Locator, entry: MenuPath, offered?: readonly string[]): Promise<void> {
    await until(
      async () => {
        await this.open(target);
        try {
          if (offered) assert.deepEqual(await this.entries(), offered);
          await this.pick(entry);
          return true;
        } catch (error) {
          // It may have been the menu of what the row was before.
          if (await this.menu.isVisible()) await this.close();
          throw error;
        }
      },
      `the menu to take '${pathOf(entry).join(' › ')}'`,
      20_000,
    );
  }

  /** Opens the menu of something, unless one is open. */
  async open(target: Locator): Promise<void> {
    await until(async () => {
      if (await this.menu.isVisible()) return true;
      await target.click({ button: 'right', timeout: 5000 });
      await this.menu.waitFor({ timeout: 2000 });
      return true;
    }, 'the menu to open');
  }

  /**
   * Picks an entry of the open menu, by the key: a new menu ignores the mouse for a moment, and one that closes in that
   * moment, because something else takes the focus, would look like one that was picked from.
   */
  async pick(entry: MenuPath): Promise<void> {
    const path = pathOf(entry);
    for (const [depth, label] of path.entries()) {
      const menu = depth === 0 ? this.menu : this.submenu;
      const item = menu.locator(OWN_ENTRIES).filter({ has: this.labelled(label) });
      await item.hover({ timeout: 2000 });
      await item.and(menu.locator('.focused')).waitFor({ timeout: 2000 });
      const isLast = depth === path.length - 1;
      const key = isLast ? 'Enter' : 'ArrowRight';
      await item.locator('.action-menu-item').first().press(key, { timeout: 2000 });
      if (!isLast) await this.submenu.waitFor({ timeout: 2000 });
    }
    await this.menu.waitFor({ state: 'hidden', timeout: 5000 });
  }

  /** What the open menu offers, in order. */
  private async entries(): Promise<string[]> {
    await this.menu.waitFor({ timeout: 2000 });
    const labels = await this.menu.locator('.action-item .action-label:not(.separator)').allTextContents();
    return labels.map((label) => label.trim());
  }

  async close(): Promise<void> {
    if (await this.submenu.isVisible()) await this.submenu.press('Escape');
    await this.menu.press('Escape');
    await this.menu.waitFor({ state: 'hidden' });
  }

  private labelled(entry: string): Locator {
    return this.menu
      .page()
      .locator('.action-label')
      .filter({ hasText: exactly(entry) });
  }
}
