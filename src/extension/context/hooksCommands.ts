import * as vscode from 'vscode';
import { z } from 'zod';
import type { Hook } from '../../agent/hooks/hook.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { choose, notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { shownName } from '../ui/shownName.ts';
import type { ContextMeter } from './contextMeter.ts';
import { hooksProblemText, hooksStateText } from './hooksItems.ts';
import type { ProjectHooks } from './projectHooks.ts';
import type { HooksReader, ListedHooks } from './readHooks.ts';

export { HooksReader } from './readHooks.ts';

const rowArgument = z.object({ hooks: z.object({ file: z.object({ uri: z.string() }) }) });

/** How many hooks of a file a question lists, and how much of each command, in characters. */
const MAX_LISTED = 30;
const COMMAND = 400;

export function hooksCommands({
  context,
  hooks,
}: {
  readonly context: ContextMeter;
  readonly hooks: ProjectHooks;
}): CommandHandlers<'reviewHooks'> {
  return {
    reviewHooks: async (argument) => {
      const reader = await hooks.reader();
      const listed = (await reader?.list()) ?? [];
      if (!reader || listed.length === 0) {
        void notify.information(
          reader
            ? vscode.l10n.t('There are no hooks in this project, and none of your own.')
            : vscode.l10n.t('Hooks are not run here.'),
        );
        return;
      }
      const uri = rowArgument.safeParse(argument).data?.hooks.file.uri;
      const chosen = listed.find(({ file }) => file.uri === uri) ?? (await pickFile(listed));
      if (chosen) await reviewFile(reader, chosen);
      context.refresh();
    },
  };
}

async function pickFile(listed: readonly ListedHooks[]): Promise<ListedHooks | undefined> {
  const rows = listed.map((each): PickRow & { readonly each: ListedHooks } => ({
    label: shownName(each.file.shown, 200),
    description: hooksStateText(each),
    detail: shownName(each.file.hooks.map(hookText).join(' · '), COMMAND),
    icon: each.state === 'allowed' ? 'pass' : 'shield',
    each,
  }));
  const picked = await pickOne(rows, {
    title: vscode.l10n.t('Review Hooks'),
    placeHolder: vscode.l10n.t('Select a file to see what its hooks run'),
  });
  return picked?.each;
}

/** Shows what a file would run, and takes the user's answer. What was shown is what is allowed. */
async function reviewFile(reader: HooksReader, { file, state }: ListedHooks): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const allow = vscode.l10n.t('Allow These Hooks');
  const refuse = state === 'allowed' ? vscode.l10n.t('Stop Running Them') : vscode.l10n.t('Leave Off');
  const more = file.hooks.length - MAX_LISTED;
  const lines = file.hooks.slice(0, MAX_LISTED).map(hookText);
  const canAllow = state !== 'allowed' && file.problem === undefined && file.hooks.length > 0;
  const answer = await choose(
    vscode.l10n.t('Hooks of {0}', shownName(file.shown, 200)),
    [
      ...(file.problem === undefined ? [] : [[hooksProblemText(file.problem)]]),
      ...(lines.length === 0
        ? []
        : [more > 0 ? [...lines, vscode.l10n.t('… and {0} more: open the file', more)] : lines]),
      ...(file.scripts.length === 0
        ? []
        : [
            [
              vscode.l10n.t(
                'Allowed as they are now, with these scripts: {0}',
                shownName(file.scripts.join(vscode.l10n.t(', ')), COMMAND),
              ),
            ],
          ]),
      ...(file.unknown.length === 0
        ? []
        : [[vscode.l10n.t('Not honoured: {0}', shownName(file.unknown.join(vscode.l10n.t(', ')), COMMAND))]]),
      [vscode.l10n.t('A hook can refuse, ask and add. What it allows is still asked for.')],
    ],
    // What is not shown whole is read in the file first.
    ...(canAllow ? [allow] : []),
    open,
    ...(state === 'refused' ? [] : [refuse]),
  );
  if (answer === open) await vscode.window.showTextDocument(vscode.Uri.parse(file.uri, true));
  else if (answer === allow) await reader.answer(file, 'allowed');
  else if (answer === refuse) await reader.answer(file, 'refused');
}

/** As in `PreToolUse (Bash): ./check.sh`. */
function hookText({ command, cwd, event, matcher }: Hook): string {
  const what = matcher === undefined || matcher === '' ? event : `${event} (${shownName(matcher, 100)})`;
  const text = command ? shownName(command.text, COMMAND) : vscode.l10n.t('nothing on this system');
  return cwd === undefined ? `${what}: ${text}` : `${what}: ${text} (${shownName(cwd, 100)})`;
}
