import type { Locator, Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { exactly } from './text.ts';
import { until } from '../../fixtures/until.ts';

/** One row of a quick pick. */
export interface QuickPickRow {
  label: string;
  description: string;
  detail: string;
}

/** The box at the top of the window: the command palette, quick picks and input boxes. */
export class QuickInput {
  readonly widget: Locator;
  readonly input: Locator;

  constructor(private readonly page: Page) {
    this.widget = page.locator('.quick-input-widget');
    this.input = this.widget.locator('.quick-input-box input');
  }

  /** Waits until it shows, with this title if one is given. */
  async shown(title?: string): Promise<void> {
    await this.input.waitFor();
    if (title !== undefined) {
      await this.widget
        .locator('.quick-input-title')
        .filter({ hasText: exactly(title) })
        .waitFor();
    }
  }

  async hidden(): Promise<void> {
    await this.widget.waitFor({ state: 'hidden' });
  }

  /** The rows that are on screen; a long list has to be filtered by typing first. */
  async rows(): Promise<QuickPickRow[]> {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    await rows.first().waitFor();
    // All at one moment: a list may still be filling.
    return rows.evaluateAll((found: PageElement[]) =>
      found.map((row) => {
        // VS Code draws rows in those of an earlier list, and hides a detail that it has no more.
        const text = (within: PageElement | null, selector: string): string =>
          [...(within?.querySelectorAll(selector) ?? [])]
            .filter((part) => part.checkVisibility())
            .map((part) => part.textContent)
            .join('')
            .trim();
        return {
          label: text(row.querySelector('.quick-input-list-row'), '.label-name'),
          description: text(row, '.label-description'),
          detail: text(row, '.quick-input-list-label-meta .label-name'),
        };
      }),
    );
  }

  /** The row with this label. */
  row(label: string): Locator {
    const name = this.page.locator('.quick-input-list-row:first-child .label-name');
    return this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ has: name.filter({ hasText: exactly(label) }) });
  }

  /** Picks the row with this label. */
  async choose(label: string): Promise<void> {
    await this.row(label).first().click();
  }

  /** Ticks or unticks the row with this label, where many can be chosen. */
  async toggle(label: string): Promise<void> {
    await this.row(label).first().click();
  }

  /** Presses a button of a row, by its name for screen readers. */
  async pressOnRow(label: string, button: string): Promise<void> {
    const row = this.row(label).first();
    await row.hover();
    await row.getByRole('button', { name: button }).click();
  }

  async type(value: string): Promise<void> {
    await this.input.fill(value);
  }

  async value(): Promise<string> {
    return this.input.inputValue();
  }

  /** The prompt, or what is wrong with the input. */
  async message(): Promise<string> {
    return text(this.widget.locator('.quick-input-message'));
  }

  /** Answers an input box. */
  async answer(value: string): Promise<void> {
    await this.shown();
    await this.type(value);
    await this.accept();
  }

  async accept(): Promise<void> {
    await this.input.press('Enter');
  }

  /** Closes it. Whatever else Escape closes, like the list of notifications, may come first. */
  async dismiss(): Promise<void> {
    await until(async () => {
      if (await this.widget.isVisible()) await this.input.press('Escape', { timeout: 2000 });
      await this.widget.waitFor({ state: 'hidden', timeout: 2000 });
      return true;
    }, 'the box to close');
  }

  /** Opens the palette, and picks a command by the title shown there. */
  async pickCommand(title: string): Promise<void> {
    // The palette lists what is known when it opens: a command that appears a moment later needs another look.
    const row = this.row(title).first();
    await until(async () => {
      if (await this.widget.isVisible()) await this.dismiss();
      await this.page.keyboard.press('F1');
      await this.input.waitFor({ timeout: 2000 });
      await this.input.fill(`>${title}`, { timeout: 2000 });
      await row.click({ timeout: 2000 }).catch(unlessClicked);
      return true;
    }, `the command '${title}'`);
  }
}

/** On a busy machine it may take long to hear of a click that counted: another one would run the command twice. */
function unlessClicked(error: unknown): void {
  if (!String(error).includes('performing click action')) throw error;
}

async function text(locator: Locator): Promise<string> {
  const texts = await locator.allTextContents();
  return texts.join('').trim();
}
