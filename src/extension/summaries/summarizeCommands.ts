import * as vscode from 'vscode';
import type { Shortened, Summaries, Writing } from '../../conversation/summaries.ts';
import type { SummaryExtent } from '../../conversation/summarize.ts';
import { messagesText } from '../ui/countText.ts';
import { whileWriting } from './summaryProgress.ts';
import { messageIdOf } from '../commands/commandArguments.ts';
import { pickMessage, type PickMessageDeps } from '../chats/pickMessage.ts';
import { notifyWithUndo, type UndoNotificationDeps } from '../fileRestore/undoNotification.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

export interface SummarizeCommandsDeps extends PickMessageDeps, UndoNotificationDeps {}

/** Commands that summarize a part of the conversation on a new branch. */
export function summarizeCommands(
  deps: SummarizeCommandsDeps,
): CommandHandlers<'summariseUpTo' | 'summariseFrom' | 'summariseContext'> {
  const { conversations } = deps;
  const perform = async (
    shorten: (summaries: Summaries, writing: Writing) => Promise<Shortened | undefined>,
  ): Promise<void> => {
    const summaries = await conversations.summaries();
    const move = await whileWriting(vscode.l10n.t('Writing a summary'), (writing) =>
      shorten(summaries, writing),
    );
    if (!move) return;
    const text = vscode.l10n.t('Summarized {0}.', messagesText(move.count));
    notifyWithUndo(deps, { move, restored: undefined, leftAlone: 0 }, text);
  };
  const summarise = (messageId: string, extent: SummaryExtent): Promise<void> =>
    perform((summaries, writing) => summaries.replace(messageId, extent, writing));
  return {
    summariseUpTo: async (argument) => {
      const title = vscode.l10n.t('Select a message to summarize up to');
      const messageId = messageIdOf(argument) ?? (await pickMessage(deps, title));
      if (messageId !== undefined) await summarise(messageId, 'up-to-here');
    },
    summariseFrom: async (argument) => {
      const title = vscode.l10n.t('Summarize from which message on?');
      const messageId = messageIdOf(argument) ?? (await pickMessage(deps, title));
      if (messageId !== undefined) await summarise(messageId, 'from-here');
    },
    summariseContext: async () => {
      const path = (await conversations.path()).filter(({ type }) => type === 'message');
      // The last question and its answer stay as they are: the user is working on them.
      const last = path.findLastIndex(isUserTurn);
      const until = path[last - 1] ?? path.at(-1);
      if (until) await summarise(until.id, 'up-to-here');
    },
  };
}
