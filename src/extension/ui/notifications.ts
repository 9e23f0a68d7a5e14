import * as vscode from 'vscode';
import { inertText, plainText } from './inertText.ts';

type Severity = 'information' | 'warning' | 'error';

type Show = <T extends vscode.MessageItem>(
  message: string,
  options: vscode.MessageOptions,
  ...items: T[]
) => Thenable<T | undefined>;

/** The only way to notify: the text never has links (`inertText.ts`). @returns the button that was pressed */
export const notify = {
  information: (text: string, ...buttons: string[]): Promise<string | undefined> =>
    show('information', inertText(text), {}, buttons),
  warning: (text: string, ...buttons: string[]): Promise<string | undefined> =>
    show('warning', inertText(text), {}, buttons),
  error: (text: string, ...buttons: string[]): Promise<string | undefined> =>
    show('error', inertText(text), {}, buttons),
};

/** Adds Cancel. Each paragraph of the details is one line, no matter which names it contains. */
export async function confirm(text: string, details: readonly string[], button: string): Promise<boolean> {
  return (
    (await choose(
      text,
      details.map((each) => [each]),
      button,
    )) === button
  );
}

/** With several buttons, and paragraphs of several lines. @returns the button that was pressed; undefined: Cancel */
export async function choose(
  text: string,
  details: readonly (readonly string[])[],
  ...buttons: string[]
): Promise<string | undefined> {
  const detail = details.map((lines) => lines.map(plainText).join('\n')).join('\n\n');
  return show('warning', plainText(text), { modal: true, detail }, buttons);
}

async function show(
  severity: Severity,
  text: string,
  options: vscode.MessageOptions,
  buttons: readonly string[],
): Promise<string | undefined> {
  const items = buttons.map((button) => ({ title: plainText(button), button }));
  return (await showOf(severity)(text, options, ...items))?.button;
}

function showOf(severity: Severity): Show {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage;
    case 'warning':
      return vscode.window.showWarningMessage;
    case 'error':
      return vscode.window.showErrorMessage;
  }
}
