import * as vscode from 'vscode';
import type { CommandId, ContextKey, ViewId } from './ids.ts';

/** Also the command VS Code has for each view, which shows and focuses it. */
export type OwnCommand = CommandId | `${ViewId}.focus`;

/** As a menu would: a failure is shown, not thrown. */
export async function runCommand(command: OwnCommand, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

export function commandLink(command: OwnCommand, title: string, ...args: unknown[]): vscode.Command {
  return { command, title, arguments: args };
}

export async function setContext(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
