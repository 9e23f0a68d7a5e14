import * as vscode from 'vscode';
import { logFailure, messageOf } from '../failures.ts';

/** A command's own part: it throws, and whoever registered it tells the person. */
export type CommandHandler = (...args: unknown[]) => Promise<void>;

/** Registers commands under `offshoot.`; what one of them throws is shown and logged. */
export function registerCommands(
  log: vscode.LogOutputChannel,
  commands: Readonly<Record<string, CommandHandler>>,
): vscode.Disposable {
  const registered = Object.entries(commands).map(([name, handler]) =>
    vscode.commands.registerCommand(`offshoot.${name}`, async (...args: unknown[]) => {
      try {
        await handler(...args);
      } catch (error) {
        logFailure(log, name, error);
        void vscode.window.showErrorMessage(messageOf(error));
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
