import type { Locator, Page } from 'playwright-core';

/** A modal question. */
export class Dialog {
  private readonly box: Locator;

  constructor(page: Page) {
    this.box = page.locator('.monaco-dialog-box');
  }

  async message(): Promise<string> {
    return (await this.box.locator('.dialog-message-text').innerText()).trim();
  }

  async detail(): Promise<string> {
    return (await this.box.locator('.dialog-message-detail').innerText()).trim();
  }

  async buttons(): Promise<string[]> {
    await this.box.waitFor();
    return this.box.locator('.dialog-buttons .monaco-button').allInnerTexts();
  }

  /** Answers it. */
  async press(button: string): Promise<void> {
    await this.box.getByRole('button', { name: button, exact: true }).click();
    await this.box.waitFor({ state: 'hidden' });
  }
}
