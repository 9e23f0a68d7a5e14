import * as vscode from 'vscode';
import { NOT_COMPACTED } from '../../agent/compaction/compactionErrors.ts';
import { compactArgument, messageIdOf } from '../commands/commandArguments.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { notifyWithUndo, type UndoNotificationDeps } from '../fileRestore/undoNotification.ts';
import { askText } from '../ui/inputBox.ts';
import { notify } from '../ui/notifications.ts';
import { translatedNotice } from '../ui/translated.ts';

/** The longest text about what to keep, in characters. */
const MAX_WISH = 2_000;

/** Commands that replace early messages with a summary, on the same branch, and that undo it. */
export function compactCommands(deps: UndoNotificationDeps): CommandHandlers<'compact' | 'undoCompaction'> {
  const { conversations } = deps;
  return {
    compact: async (argument) => {
      const { instructions, continues } = compactArgument(argument) ?? (await askWhatToKeep());
      if (instructions === undefined) return;
      const wanted = instructions.trim().slice(0, MAX_WISH);
      const run = await conversations.compact({
        ...(wanted === '' ? {} : { wanted }),
        thenAnswers: continues,
      });
      await run.done;
      if (run.error?.code === NOT_COMPACTED) await notify.error(translatedNotice(run.error));
    },
    undoCompaction: async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId === undefined) return;
      const summaries = await conversations.summaries();
      const move = await summaries.undoCompaction(messageId);
      const done = vscode.l10n.t('Undid compaction. The messages are sent whole again.');
      notifyWithUndo(deps, { move, restored: undefined, leftAlone: 0 }, done);
    },
  };
}

/** Undefined if the user cancelled. */
async function askWhatToKeep(): Promise<{
  readonly instructions: string | undefined;
  readonly continues: boolean;
}> {
  const instructions = await askText({
    title: vscode.l10n.t('Compact Conversation'),
    prompt: vscode.l10n.t('The model is sent a summary of the earlier messages. They stay in the chat.'),
    placeHolder: vscode.l10n.t('What to keep in particular (optional)'),
  });
  return { instructions, continues: false };
}
