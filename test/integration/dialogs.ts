import * as vscode from 'vscode';

export interface Shown {
  readonly text: string;
  readonly detail: string;
}

/** Presses a button of each dialog, which VS Code shows in no test of this kind; the tests in a workbench see them. */
export function playDialogs(
  button: string | undefined,
  name: 'showWarningMessage' | 'showInformationMessage' | 'showErrorMessage' = 'showWarningMessage',
): { readonly shown: Shown[]; [Symbol.dispose](): void } {
  const shown: Shown[] = [];
  const before = Object.getOwnPropertyDescriptor(vscode.window, name);
  const show = (text: string, { detail = '' }: vscode.MessageOptions, ...items: vscode.MessageItem[]) => {
    shown.push({ text, detail });
    return Promise.resolve(items.find(({ title }) => title === button));
  };
  Object.defineProperty(vscode.window, name, { value: show, configurable: true });
  return {
    shown,
    [Symbol.dispose]: () => {
      if (before) Object.defineProperty(vscode.window, name, before);
    },
  };
}
