import {
  together,
  type CommandPart,
  type NamesOf,
  type CommandHandlers,
} from '../commands/commandHandlers.ts';
import { mergeSummaryCommands, whileWriting } from './mergeSummaryCommands.ts';
import * as vscode from 'vscode';
import { NOT_COMPACTED, NOT_COMPACTED_AT_BUDGET } from '../../agent/compaction/compactionErrors.ts';
import { compactArgument, messageIdOf } from '../commands/commandArguments.ts';
import { notifyWithUndo, type UndoContext } from '../files/restoreNotifications.ts';
import { askText } from '../ui/inputBox.ts';
import { notify } from '../ui/notifications.ts';
import { translatedNotice } from '../ui/failures.ts';
import { askBeyond, withinBudget, type Beyond } from '../models/beyondBudget.ts';
import type { CapContext } from '../models/raiseCap.ts';
import type { Shortened, Summaries, Writing } from '../../conversation/summaries.ts';
import type { SummaryExtent } from '../../conversation/summarize.ts';
import { messagesText } from '../ui/formats.ts';
import { pickMessage } from '../commands/pickMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';

type SummariesCommand = NamesOf<
  typeof mergeSummaryCommands | typeof summarizeCommands | typeof compactCommands
>;

export function summariesCommands(
  deps: Parameters<typeof mergeSummaryCommands>[0],
): CommandPart<SummariesCommand> {
  const merge = mergeSummaryCommands(deps);
  return {
    handlers: together(merge.handlers, summarizeCommands(deps), compactCommands(deps)),
    dispose: () => merge.dispose(),
  };
}

/** The longest text about what to keep, in characters. */
const MAX_WISH = 2_000;

function compactCommands(
  deps: UndoContext & CapContext,
): CommandHandlers<'compact' | 'undoCompaction' | 'keepMessage' | 'stopKeepingMessage'> {
  const { conversations } = deps;
  const keep = async (argument: unknown, isKept: boolean): Promise<void> => {
    const messageId = messageIdOf(argument);
    if (messageId !== undefined) await conversations.keepMessage(messageId, isKept);
  };
  return {
    keepMessage: (argument) => keep(argument, true),
    stopKeepingMessage: (argument) => keep(argument, false),
    compact: async (argument) => {
      const { instructions, continues } = compactArgument(argument) ?? (await askWhatToKeep());
      if (instructions === undefined) return;
      const wanted = instructions.trim().slice(0, MAX_WISH);
      const request = { ...(wanted === '' ? {} : { wanted }), thenAnswers: continues };
      for (let how: Beyond | undefined = {}; how;) {
        const run = await conversations.compact(request, how);
        await run.done;
        const { error } = run;
        how =
          error?.code === NOT_COMPACTED_AT_BUDGET
            ? await askBeyond(deps, translatedNotice(error))
            : undefined;
        if (error?.code === NOT_COMPACTED) await notify.error(translatedNotice(error));
      }
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

function summarizeCommands(
  deps: UndoContext & CapContext,
): CommandHandlers<'summarizeUpTo' | 'summarizeFrom' | 'summarizeContext'> {
  const { conversations } = deps;
  const perform = async (
    shorten: (summaries: Summaries, writing: Writing) => Promise<Shortened | undefined>,
  ): Promise<void> => {
    const summaries = await conversations.summaries();
    const title = vscode.l10n.t('Writing a summary');
    const move = await withinBudget(deps, (how) =>
      whileWriting(title, (writing) => shorten(summaries, { ...writing, ...how })),
    );
    if (!move) return;
    const text = vscode.l10n.t('Summarized {0}.', messagesText(move.count));
    notifyWithUndo(deps, { move, restored: undefined, leftAlone: 0 }, text);
  };
  const summarize = (messageId: string, extent: SummaryExtent): Promise<void> =>
    perform((summaries, writing) => summaries.replace(messageId, extent, writing));
  return {
    summarizeUpTo: async (argument) => {
      const title = vscode.l10n.t('Select a message to summarize up to');
      const messageId = messageIdOf(argument) ?? (await pickMessage(conversations, title));
      if (messageId !== undefined) await summarize(messageId, 'up-to-here');
    },
    summarizeFrom: async (argument) => {
      const title = vscode.l10n.t('Select the first message to summarize');
      const messageId = messageIdOf(argument) ?? (await pickMessage(conversations, title));
      if (messageId !== undefined) await summarize(messageId, 'from-here');
    },
    summarizeContext: async () => {
      const path = (await conversations.path()).filter(({ type }) => type === 'message');
      // The last question and its answer stay as they are: the user is working on them.
      const last = path.findLastIndex(isUserTurn);
      const until = path[last - 1] ?? path.at(-1);
      if (until) await summarize(until.id, 'up-to-here');
    },
  };
}
