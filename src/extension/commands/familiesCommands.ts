import * as vscode from 'vscode';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandId, CommandName } from '../manifest/ids.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { families, offeredBy, type Family } from './families.ts';

/** The part of package.json that is used, with the titles in the language of VS Code. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: CommandId;
      readonly title: string;
      readonly enablement?: string;
    }[];
  };
}

type CommandRow = PickRow & { readonly command?: CommandId };

export function familiesCommands(deps: {
  readonly extension: Pick<vscode.Extension<unknown>, 'packageJSON'>;
  /** The values of the keys that the commands of families ask for, as far as they are known. */
  readonly contextValues: () => Promise<ReadonlyMap<string, boolean>>;
}): CommandHandlers<Family> {
  const { commands } = (deps.extension.packageJSON as Manifest).contributes;
  const described = (name: CommandName) => commands.find(({ command }) => command === `offshoot.${name}`);
  const titleOf = (name: CommandName): string => described(name)?.title ?? name;
  const pick = async (family: Family): Promise<void> => {
    const values = await deps.contextValues();
    const groups = offeredBy(family, (name) => described(name)?.enablement, values);
    const rows = groups.flatMap((group, index): CommandRow[] => [
      ...(index > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
      ...group.map((name): CommandRow => ({ label: titleOf(name), command: `offshoot.${name}` })),
    ]);
    const picked = await pickOne(rows, { title: titleOf(family) });
    if (picked?.command) await runCommand(picked.command);
  };
  const names = Object.keys(families) as Family[];
  const handlers = names.map((family) => [family, () => pick(family)] as const);
  return Object.fromEntries(handlers) as CommandHandlers<Family>;
}
