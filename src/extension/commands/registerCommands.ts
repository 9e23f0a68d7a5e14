import * as vscode from 'vscode';
import type { CommandId, CommandName } from '../manifest/ids.ts';

/** What of package.json is used; VS Code has read it before, and `ids.ts` is written from it. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: CommandId }[] };
}

const PREFIX = 'offshoot.';

/**
 * Registers every command of package.json, so that each is there from the first moment.
 * @param run gets the name without the prefix, and tells its failures itself
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
