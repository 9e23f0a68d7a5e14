import * as vscode from 'vscode';
import { runCommand } from '../manifest/runCommand.ts';
import type { CommandId, CommandName } from '../manifest/ids.ts';
import { translated } from '../ui/failures.ts';
import { notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { families, offeredBy, type Family, type Member } from './families.ts';

/** The part of package.json that is used, with the titles in the language of VS Code. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: CommandId;
      readonly title: string;
      /** As `$(id)`. */
      readonly icon?: string;
      readonly enablement?: string;
    }[];
  };
}

type CommandRow = PickRow & { readonly command?: CommandId };

export function familiesCommands(deps: {
  readonly extension: Pick<vscode.Extension<unknown>, 'packageJSON'>;
  /** The values of the keys that the commands of families ask for, as far as they are known. */
  readonly offeredValues: () => Promise<ReadonlyMap<string, boolean>>;
}): CommandHandlers<Family> {
  const { commands } = (deps.extension.packageJSON as Manifest).contributes;
  const described = (name: CommandName) => commands.find(({ command }) => command === `offshoot.${name}`);
  const titleOf = (name: CommandName): string => described(name)?.title ?? name;
  const rowOf = ({ command, label }: Member): CommandRow => {
    const icon = described(command)?.icon?.slice(2, -1);
    return {
      ...(icon === undefined ? {} : { icon }),
      label: label ? translated(label) : titleOf(command),
      command: `offshoot.${command}`,
    };
  };
  const pick = async (family: Family): Promise<void> => {
    const values = await deps.offeredValues();
    const groups = offeredBy(family, (name) => described(name)?.enablement, values);
    if (groups.length === 0) {
      void notify.information(whyNothing(family, values));
      return;
    }
    const rows = groups.flatMap((group, index): CommandRow[] => [
      ...(index > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator }] : []),
      ...group.map(rowOf),
    ]);
    const title = titleOf(family).replace(/…$/u, '');
    const picked = await pickOne(rows, { title, placeHolder: vscode.l10n.t('Select an action') });
    if (picked?.command) await runCommand(picked.command);
  };
  const names = Object.keys(families) as Family[];
  const handlers = names.map((family) => [family, () => pick(family)] as const);
  return Object.fromEntries(handlers) as CommandHandlers<Family>;
}

/** The palette lists a family even where none of its commands can be used: one that is looked for is found. */
function whyNothing(family: Family, values: ReadonlyMap<string, boolean>): string {
  if (values.get('offshoot.isReadOnly') === true) return vscode.l10n.t('This window can’t change chats.');
  if (family === 'editActions') return vscode.l10n.t('There are no edits to review.');
  return vscode.l10n.t('This chat has no messages yet. Ask something first.');
}
