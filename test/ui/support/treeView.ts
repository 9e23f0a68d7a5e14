import type { Locator, Page } from 'playwright-core';
import type { ContextMenu, MenuPath } from './contextMenu.ts';
import type { PageElement } from './pageElement.ts';
import { exactly, startingWith } from './text.ts';
import { until } from '../../fixtures/until.ts';

/** One visible row of a tree. */
export interface TreeRow {
  label: string;
  description: string;
  /** The label, or of a branch that is called by what is said there its own name, which stands next to it. */
  name: string;
  /** 1 for the roots. */
  level: number;
  /** Undefined for a leaf. */
  expanded: boolean | undefined;
}

/** What its view is called, what the row of the active branch says, and what the branch `main` is called. */
export interface TreeTexts {
  readonly title: string;
  readonly active: string;
  readonly mainLine: string;
}

/** The tree in the sidebar. Rows below the fold are not rendered: make the window taller where that matters. */
export class TreeView {
  readonly root: Locator;

  constructor(
    private readonly page: Page,
    private readonly menu: ContextMenu,
    private readonly texts: TreeTexts,
  ) {
    this.root = this.pane.locator('.tree-explorer-viewlet-tree-view');
  }

  /** The view, with its header. */
  get pane(): Locator {
    return this.page.locator('.sidebar .pane').filter({
      has: this.page.locator(`.pane-header[aria-label^="${this.texts.title}"]`),
    });
  }

  /** Opens the view where it is folded. */
  async open(): Promise<void> {
    await this.setOpen(true);
  }

  /** Folds the view, so that others have its room. */
  async fold(): Promise<void> {
    await this.setOpen(false);
  }

  /** Drags the upper edge of the view until it is this high, in pixels. */
  async setHeight(height: number): Promise<void> {
    const { mouse } = this.page;
    let last = '';
    await until(async () => {
      const box = await this.pane.boundingBox();
      if (!box) return false;
      if (Math.abs(box.height - height) <= 2) return true;
      // Views open step by step: next to the edge one would take hold of the header and move the view.
      const isSettled = JSON.stringify(box) === last;
      last = JSON.stringify(box);
      if (!isSettled) return false;
      const x = box.x + box.width / 2;
      await mouse.move(x, box.y);
      await mouse.down();
      await mouse.move(x, box.y + box.height - height, { steps: 4 });
      await mouse.up();
      return false;
    }, `the view ${this.texts.title} to be ${height} pixels high`);
  }

  /** All rows as they stood at one moment: the tree may change at any time. */
  async rows(): Promise<TreeRow[]> {
    const rows = await this.root
      .locator('.monaco-list-rows .monaco-list-row')
      .evaluateAll((found: PageElement[]) =>
        found.map((row) => {
          const text = (selector: string): string =>
            [...row.querySelectorAll(selector)]
              .map((part) => part.textContent)
              .join('')
              .trim();
          const expanded = row.getAttribute('aria-expanded');
          const description = text('.label-description');
          return {
            label: text('.label-name'),
            description,
            level: Number(row.getAttribute('aria-level')),
            expanded: expanded === null ? undefined : expanded === 'true',
          };
        }),
      );
    return rows.map((row) => ({ ...row, name: this.nameOf(row) }));
  }

  private nameOf({ label, description }: Pick<TreeRow, 'label' | 'description'>): string {
    if (label === this.texts.mainLine) return 'main';
    return /^\S*-v\d+(?= · )/.exec(description)?.[0] ?? label;
  }

  /** Names with their nesting shown by two spaces a level: a tree to compare at one glance. */
  async outline(): Promise<string[]> {
    const rows = await this.rows();
    return rows.map(({ name, level }) => '  '.repeat(level - 1) + name);
  }

  /** The rows with this label, or of the branch `main`, or of one with that name next to it; use `.nth()` where there are several. */
  row(label: string): Locator {
    const page = this.root.page();
    const labelled = page
      .locator('.label-name')
      .filter({ hasText: exactly(label === 'main' ? this.texts.mainLine : label) });
    const named = page.locator('.label-description').filter({ hasText: startingWith(`${label} · `) });
    return this.root.locator('.monaco-list-rows .monaco-list-row').filter({ has: labelled.or(named) });
  }

  /** Waits until it marks a branch as the active one. */
  async marks(branch: string): Promise<void> {
    await until(
      async () =>
        (await this.rows()).some(
          ({ name, description }) => name === branch && description.includes(this.texts.active),
        ),
      `the tree to mark ${branch} as active`,
    );
  }

  /** Waits until it marks another branch than the first as the active one: what was just rewound to may have no name yet. */
  async leavesMain(): Promise<void> {
    await until(
      async () =>
        (await this.rows()).some(
          ({ name, description }) => name !== 'main' && description.includes(this.texts.active),
        ),
      'the tree to mark another branch than main as active',
    );
  }

  /** Clicks a row once the tree stands still: one that is redrawn under a click loses it. */
  async click(label: string): Promise<void> {
    await this.standsStill(label);
    await this.row(label).first().click();
  }

  /** Waits until nothing answers any more: its end redraws a chat with all that is below it. */
  async isAtRest(): Promise<void> {
    await this.root.locator('.codicon-loading').first().waitFor({ state: 'detached' });
  }

  private async standsStill(label: string): Promise<void> {
    await this.row(label).first().waitFor();
    let last = '';
    await until(async () => {
      // With the icons, by which a row tells how its answer goes.
      const now = await this.root.locator('.monaco-list-rows').innerHTML();
      const isStill = now === last;
      last = now;
      return isStill;
    }, `the rows around '${label}' to stand still`);
  }

  /** Waits until it has the focus: a key that comes before is another view's. */
  async hasFocus(): Promise<void> {
    await this.root.locator('.monaco-list:focus').waitFor();
  }

  /** Moves the focus by the keys to a row, once the tree has it. Rows may still come and go: then once more. */
  async goTo(label: string): Promise<void> {
    await this.hasFocus();
    const reached = this.row(label).and(this.root.locator('.focused'));
    await until(async () => {
      const rows = (await this.outline()).findIndex((row) => row.trim() === label);
      if (rows === -1) return false;
      await this.page.keyboard.press('Home');
      for (let row = 0; row < rows; row++) await this.page.keyboard.press('ArrowDown');
      return (await reached.count()) > 0;
    }, `the row '${label}' to have the focus`);
  }

  /**
   * Picks an entry of a row's menu once the tree stands still: VS Code has no row for a command while it asks for what
   * is below a changed one.
   */
  async pick(label: string, entry: MenuPath): Promise<void> {
    await this.standsStill(label);
    await this.menu.pickOn(this.row(label).first(), entry);
  }

  /** Presses an inline button of a row, by its name for screen readers: as `pick`, and once nothing answers any more. */
  async press(label: string, button: string): Promise<void> {
    await this.isAtRest();
    await this.standsStill(label);
    const row = this.row(label).first();
    await row.hover();
    await row.getByRole('button', { name: button }).click();
  }

  async expand(label: string): Promise<void> {
    await this.setExpanded(label, true);
  }

  async collapse(label: string): Promise<void> {
    await this.setExpanded(label, false);
  }

  private async setOpen(isOpen: boolean): Promise<void> {
    const header = this.pane.locator('.pane-header');
    await until(
      async () => {
        if ((await header.getAttribute('aria-expanded')) === String(isOpen)) return true;
        await header.click({ position: { x: 10, y: 10 } });
        return false;
      },
      `the view ${this.texts.title} to be ${isOpen ? 'open' : 'folded'}`,
    );
  }

  private async setExpanded(label: string, expanded: boolean): Promise<void> {
    const row = this.row(label).first();
    // A tree that is redrawn under a click loses it.
    await until(
      async () => {
        if ((await row.getAttribute('aria-expanded')) === String(expanded)) return true;
        await row.locator('.monaco-tl-twistie').click();
        return (await row.getAttribute('aria-expanded')) === String(expanded);
      },
      `'${label}' to be ${expanded ? 'expanded' : 'collapsed'}`,
    );
  }
}
