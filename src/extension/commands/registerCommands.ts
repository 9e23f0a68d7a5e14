import * as vscode from 'vscode';
import type { CommandId, CommandName } from '../manifest/ids.ts';

/** The part of package.json that is used; VS Code has checked it, and `ids.ts` is generated from it. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

const PREFIX = 'offshoot.';

/**
 * Registers every command of package.json, so that each exists from the start.
 * @param run gets the name without the prefix, and reports its own failures
 */
export function registerCommands(
  { packageJSON }: vscode.Extension<unknown>,
  run: (name: CommandName, args: readonly unknown[]) => Promise<void>,
): vscode.Disposable {
  const { commands } = (packageJSON as Manifest).contributes;
  return vscode.Disposable.from(
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, (...args: unknown[]) =>
        run(command.slice(PREFIX.length) as CommandName, args),
      ),
    ),
  );
}
