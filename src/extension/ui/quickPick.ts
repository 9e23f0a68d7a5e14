import * as vscode from 'vscode';
import { inertHoverText, inertText, plainText } from './inertText.ts';

/** A row whose texts are shown as they are; our own icons are separate from them. */
export interface PickRow extends vscode.QuickPickItem {
  /** The id of the product icon before the label. */
  readonly icon?: string;
  /** The id of the product icon before the detail. */
  readonly detailIcon?: string;
}

type Rows<T extends PickRow> = readonly T[] | Promise<readonly T[]>;

/** Undefined when none was picked. */
export async function pickOne<T extends PickRow>(
  rows: Rows<T>,
  options: Omit<vscode.QuickPickOptions, 'canPickMany'>,
): Promise<T | undefined> {
  const shown = new ShownRows<T>();
  const items = toShow(shown, rows);
  const picked = await vscode.window.showQuickPick(items, inertOptions(options));
  return picked && shown.rowOf(picked);
}

/** Undefined when the list was closed. */
export async function pickMany<T extends PickRow>(
  rows: Rows<T>,
  options: Omit<vscode.QuickPickOptions, 'canPickMany'>,
): Promise<T[] | undefined> {
  const shown = new ShownRows<T>();
  const items = toShow(shown, rows);
  const picked = await vscode.window.showQuickPick(items, { ...inertOptions(options), canPickMany: true });
  return picked && shown.rowsOf(picked);
}

function toShow<T extends PickRow>(
  shown: ShownRows<T>,
  rows: Rows<T>,
): vscode.QuickPickItem[] | Promise<vscode.QuickPickItem[]> {
  return rows instanceof Promise ? rows.then((read) => shown.of(read)) : shown.of(rows);
}

function inertOptions(options: vscode.QuickPickOptions): vscode.QuickPickOptions {
  const { title, placeHolder } = options;
  return {
    ...options,
    ...(title === undefined ? {} : { title: plainText(title) }),
    ...(placeHolder === undefined ? {} : { placeHolder: plainText(placeHolder) }),
  };
}

/** The row of a shown item: VS Code returns the same object that it was given. */
class ShownRows<T extends PickRow> {
  private readonly rows = new Map<vscode.QuickPickItem, T>();
  private readonly items = new Map<T, vscode.QuickPickItem>();

  of(rows: readonly T[]): vscode.QuickPickItem[] {
    return rows.map((row) => {
      const item = inertItem(row);
      this.rows.set(item, row);
      this.items.set(row, item);
      return item;
    });
  }

  rowOf(item: vscode.QuickPickItem): T | undefined {
    return this.rows.get(item);
  }

  rowsOf(items: readonly vscode.QuickPickItem[]): T[] {
    return items.flatMap((item) => this.rows.get(item) ?? []);
  }

  itemsOf(rows: readonly T[]): vscode.QuickPickItem[] {
    return rows.flatMap((row) => this.items.get(row) ?? []);
  }
}

function inertItem(row: PickRow): vscode.QuickPickItem {
  const { label, description, detail, icon, detailIcon, kind, picked, alwaysShow, buttons } = row;
  return {
    label: withIcon(icon, inertText(label)),
    ...(description === undefined ? {} : { description: inertHoverText(description) }),
    ...(detail === undefined ? {} : { detail: withIcon(detailIcon, inertHoverText(detail)) }),
    ...(kind === undefined ? {} : { kind }),
    ...(picked === undefined ? {} : { picked }),
    ...(alwaysShow === undefined ? {} : { alwaysShow }),
    ...(buttons === undefined ? {} : { buttons }),
  };
}

function withIcon(icon: string | undefined, text: string): string {
  return icon === undefined ? text : `$(${icon}) ${text}`;
}

export interface PickListOptions {
  readonly title: string;
  readonly placeholder?: string;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
  readonly canSelectMany?: boolean;
  readonly ignoreFocusOut?: boolean;
  readonly keepScrollPosition?: boolean;
  readonly buttons?: readonly vscode.QuickInputButton[];
}

/** A list to pick from, whose rows change while it is shown. */
export class PickList<T extends PickRow> implements vscode.Disposable {
  private readonly picker = vscode.window.createQuickPick();
  readonly onDidChangeValue = this.picker.onDidChangeValue;
  readonly onDidChangeSelection: vscode.Event<unknown> = this.picker.onDidChangeSelection;
  readonly onDidAccept = this.picker.onDidAccept;
  readonly onDidHide = this.picker.onDidHide;
  readonly onDidTriggerButton = this.picker.onDidTriggerButton;
  private shown = new ShownRows<T>();

  constructor({ title, placeholder, ...options }: PickListOptions) {
    this.picker.title = plainText(title);
    if (placeholder !== undefined) this.picker.placeholder = plainText(placeholder);
    Object.assign(this.picker, options);
  }

  set title(title: string) {
    this.picker.title = plainText(title);
  }

  set rows(rows: readonly T[]) {
    this.shown = new ShownRows<T>();
    this.picker.items = this.shown.of(rows);
  }

  get activeRows(): readonly T[] {
    return this.shown.rowsOf(this.picker.activeItems);
  }

  set activeRows(rows: readonly T[]) {
    this.picker.activeItems = this.shown.itemsOf(rows);
  }

  get selectedRows(): readonly T[] {
    return this.shown.rowsOf(this.picker.selectedItems);
  }

  set selectedRows(rows: readonly T[]) {
    this.picker.selectedItems = this.shown.itemsOf(rows);
  }

  get value(): string {
    return this.picker.value;
  }

  set isBusy(isBusy: boolean) {
    this.picker.busy = isBusy;
  }

  onDidChangeActive(listener: (rows: readonly T[]) => void): vscode.Disposable {
    return this.picker.onDidChangeActive((items) => listener(this.shown.rowsOf(items)));
  }

  onDidTriggerRowButton(listener: (row: T) => void): vscode.Disposable {
    return this.picker.onDidTriggerItemButton(({ item }) => {
      const row = this.shown.rowOf(item);
      if (row) listener(row);
    });
  }

  show(): void {
    this.picker.show();
  }

  hide(): void {
    this.picker.hide();
  }

  dispose(): void {
    this.picker.dispose();
  }
}
