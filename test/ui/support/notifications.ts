import type { Locator, Page } from 'playwright-core';
import { until } from '../../fixtures/until.ts';

/**
 * What VS Code tells in its corner. A development extension's toasts are hidden by the host,
 * so the notification centre is opened when there is none.
 */
export class Notifications {
  private readonly items: Locator;
  private readonly center: Locator;

  constructor(private readonly page: Page) {
    this.items = page.locator('.notification-list-item');
    this.center = page.locator('.notifications-center.visible');
  }

  /** Waits for the notification with this text in it. */
  async find(text: string | RegExp): Promise<Locator> {
    const item = this.items
      .filter({ has: this.page.locator('.notification-list-item-message').filter({ hasText: text }) })
      .first();
    await until(
      async () => {
        if (!(await item.isVisible())) await this.openCenter();
        return await item.isVisible();
      },
      `the notification '${String(text)}'`,
    );
    return item;
  }

  /** Presses a button of the notification with this text. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const item = await this.find(text);
    await item.hover();
    await item.getByRole('button', { name: button, exact: true }).click();
  }

  /** The texts of all notifications. */
  async texts(): Promise<string[]> {
    const isShown = (await this.items.count()) > 0;
    if (!isShown) await this.openCenter();
    const texts = await this.page.locator('.notification-list-item-message').allTextContents();
    // It would lie over what is clicked next.
    if (!isShown) await this.closeCenter();
    return texts.map((text) => text.trim());
  }

  /** Dismisses all of them. */
  async clear(): Promise<void> {
    await this.openCenter();
    await this.center.getByRole('button', { name: 'Clear All Notifications' }).click();
    await this.center.waitFor({ state: 'hidden' });
  }

  private async openCenter(): Promise<void> {
    if (await this.center.isVisible()) return;
    await this.toggle.click();
    await this.center.waitFor();
  }

  private async closeCenter(): Promise<void> {
    await this.toggle.click();
    await this.center.waitFor({ state: 'hidden' });
  }

  private get toggle(): Locator {
    return this.page.locator('#status\\.notifications');
  }
}
