import * as vscode from 'vscode';
import type { SummaryExtent } from '../../conversation/summarize.ts';
import { messagesText } from '../messagesText.ts';
import type { Services } from '../services.ts';
import { whileWriting } from '../summaries/summaryProgress.ts';
import { messageIdOf } from './arguments.ts';
import { pickMessage } from './pickMessage.ts';
import { offerWayBack } from './wayBack.ts';
import { isUserTurn } from '../../engine/userTurn.ts';

/** A summary in place of a part of the conversation, on a new branch. */
export function registerSummaryCommands(services: Services): vscode.Disposable {
  const { conversations, commands } = services;
  const summarise = async (messageId: string, extent: SummaryExtent): Promise<void> => {
    const summaries = await conversations.summaries();
    const move = await whileWriting(vscode.l10n.t('Writing a summary'), (writing) =>
      summaries.replace(messageId, extent, writing),
    );
    if (!move) return;
    const text = vscode.l10n.t('Summarized {0}.', messagesText(move.count));
    offerWayBack(services, { move, restored: undefined, leftAlone: 0 }, text);
  };
  return commands.add({
    summariseUpTo: async (argument) => {
      const title = vscode.l10n.t('Select a message to summarize up to');
      const messageId = messageIdOf(argument) ?? (await pickMessage(services, title));
      if (messageId !== undefined) await summarise(messageId, 'up-to-here');
    },
    summariseFrom: async (argument) => {
      const title = vscode.l10n.t('Summarize from which message on?');
      const messageId = messageIdOf(argument) ?? (await pickMessage(services, title));
      if (messageId !== undefined) await summarise(messageId, 'from-here');
    },
    summariseContext: async () => {
      const path = (await conversations.path()).filter(({ type }) => type === 'message');
      // The last question and its answer stay as they are: they are what the user is at.
      const last = path.findLastIndex(isUserTurn);
      const until = path[last - 1] ?? path.at(-1);
      if (until) await summarise(until.id, 'up-to-here');
    },
  });
}
