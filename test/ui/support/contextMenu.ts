import type { Locator, Page } from 'playwright-core';
import { exactly } from './text.ts';
import { until } from '../../fixtures/until.ts';

/** The menu that a right click or a `…` button opens. */
export class ContextMenu {
  private readonly menu: Locator;

  constructor(page: Page) {
    this.menu = page.locator('.monaco-menu').last();
  }

  /** Opens the menu of something and picks an entry of it. */
  async pickOn(target: Locator, entry: string): Promise<void> {
    await this.openOn(target);
    await this.pick(entry);
  }

  async openOn(target: Locator): Promise<void> {
    await target.click({ button: 'right' });
    await this.menu.waitFor();
  }

  /** Picks an entry of the open menu. */
  async pick(entry: string): Promise<void> {
    const item = this.menu.locator('.action-item').filter({ has: this.labelled(entry) });
    await item.waitFor();
    // A new menu ignores the mouse for a moment, lest the click that opened it picks something; it closes once
    // a click has counted.
    await until(async () => {
      if (await this.menu.isHidden()) return true;
      await item.click({ timeout: 1000 });
      return await this.menu.isHidden();
    }, `the menu to take '${entry}'`);
  }

  /** What the open menu offers, in order. */
  async entries(): Promise<string[]> {
    await this.menu.waitFor();
    const labels = await this.menu.locator('.action-item .action-label:not(.separator)').allTextContents();
    return labels.map((label) => label.trim());
  }

  async close(): Promise<void> {
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
