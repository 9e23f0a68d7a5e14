import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { until } from '../../fixtures/until.ts';
import type { Workbench } from './workbench.ts';

/** What one reads of a text on a surface. */
export function read(text: string): string {
  return text
    .replaceAll('\u2060', '')
    .replaceAll(/[\s\u00A0]+/gu, ' ')
    .trim();
}

/** Waits for the text on a surface, and looks that nothing there is a link, a picture or an icon of the name's. */
export async function isInert(surface: Locator, text: string, icons = 0): Promise<void> {
  await surface.waitFor();
  await until(
    async () => read((await surface.textContent()) ?? '').includes(text),
    `${text} in ${String(surface)}`,
  ).catch(async (error: unknown) => {
    throw new Error(`It is ${JSON.stringify(await surface.textContent())}.`, { cause: error });
  });
  assert.equal(await surface.locator('a[href], a[data-href], img').count(), 0, await surface.innerHTML());
  // VS Code redraws an item of the status bar while its text changes: its own icon is gone for a moment.
  await until(
    async () => (await surface.locator('.codicon').count()) === icons,
    `${icons} icons in ${await surface.innerHTML()}`,
  );
}

/** Where VS Code shows texts of an extension, and makes links, icons or Markdown of them. */
export class Surfaces {
  constructor(private readonly workbench: Workbench) {}

  /** A notification in the list of them, which closes again where it is opened too early. */
  async message(text: string): Promise<Locator> {
    const { page } = this.workbench;
    const found = page.locator('.notification-list-item-message').filter({ hasText: text }).first();
    await until(async () => {
      if (await page.locator('.notifications-center.visible').isHidden()) {
        await page.locator('#status\\.notifications').click({ timeout: 1_000 });
      }
      await found.waitFor({ timeout: 2_000 });
      return true;
    }, `the notification '${text}'`);
    return found;
  }

  /** The hover that shows over an element. */
  async hoverOf(element: Locator): Promise<Locator> {
    const { page } = this.workbench;
    const hovers = page.locator('.monaco-hover:visible .hover-contents');
    const hover = hovers.last();
    await until(async () => {
      await page.mouse.move(800, 5);
      if ((await hovers.count()) > 0) return false;
      await element.hover({ position: { x: 12, y: 6 }, timeout: 2_000 });
      await hover.waitFor({ timeout: 2_000 });
      return true;
    }, 'a hover');
    return hover;
  }

  /** The key closes a hover, or the list of notifications, first. */
  async dismiss(): Promise<void> {
    const { page, quickInput } = this.workbench;
    await until(async () => {
      await page.keyboard.press('Escape');
      await quickInput.widget.waitFor({ state: 'hidden', timeout: 500 });
      return true;
    }, 'the input to close');
  }

  /** Hovers and the list of notifications take the Escape key from what is opened over them. */
  async tidy(): Promise<void> {
    const { page } = this.workbench;
    const inTheWay = page.locator('.monaco-hover:visible, .notifications-center.visible');
    await until(async () => {
      await page.mouse.move(800, 5);
      if ((await inTheWay.count()) === 0) return true;
      await page.keyboard.press('Escape');
      return false;
    }, 'nothing to be in the way');
  }
}
