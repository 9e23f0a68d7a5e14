import * as vscode from 'vscode';
import type { CommandId, ContextKey, ViewId } from './ids.ts';

/** A command of package.json, or the one VS Code has for each view, which shows and focuses it. */
export type OwnCommand = CommandId | `${ViewId}.focus`;

/** Runs a command of this extension as a menu would: its failure is shown, not thrown. */
export async function runCommand(command: OwnCommand, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

/** A command of this extension for something to click: a row, or an item of the status bar. */
export function commandLink(command: OwnCommand, title: string, ...args: unknown[]): vscode.Command {
  return { command, title, arguments: args };
}

/** Sets a context key of VS Code. */
export async function setContext(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
