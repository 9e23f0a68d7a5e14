import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** A row of a list, or several of one that takes several; the text of an input box. */
export type Played = { readonly pick: string | readonly string[] } | { readonly type: string };

interface PickOptions {
  readonly title?: string;
  readonly canPickMany?: boolean;
}

/** Picks and types in order, in lists and input boxes that VS Code shows in no test of this kind. */
export function playInputs(...played: readonly Played[]): {
  readonly titles: string[];
  readonly left: Played[];
  [Symbol.dispose](): void;
} {
  const left = [...played];
  const titles: string[] = [];
  const showQuickPick = async (
    rows: readonly vscode.QuickPickItem[] | Promise<readonly vscode.QuickPickItem[]>,
    { title = '', canPickMany = false }: PickOptions = {},
  ): Promise<unknown> => {
    titles.push(title);
    const next = left.shift();
    assert.ok(next && 'pick' in next, `nothing is picked in “${title}”`);
    const wanted = typeof next.pick === 'string' ? [next.pick] : next.pick;
    const items = await rows;
    const found = wanted.map((name) => {
      const item = items.find(({ label }) => label.replace(/^\$\([\w-]+\) /u, '') === name);
      return item ?? assert.fail(`${name} is not among ${items.map(({ label }) => label).join(', ')}`);
    });
    return canPickMany ? found : found[0];
  };
  const showInputBox = ({ title = '' }: vscode.InputBoxOptions = {}): Promise<string> => {
    titles.push(title);
    const next = left.shift();
    assert.ok(next && 'type' in next, `nothing is typed into “${title}”`);
    return Promise.resolve(next.type);
  };
  const replaced = Object.entries({ showQuickPick, showInputBox }).map(([name, value]) => {
    const before = Object.getOwnPropertyDescriptor(vscode.window, name);
    Object.defineProperty(vscode.window, name, { value, configurable: true });
    return () => before && Object.defineProperty(vscode.window, name, before);
  });
  return {
    titles,
    left,
    [Symbol.dispose]: () => {
      for (const putBack of replaced) putBack();
    },
  };
}
