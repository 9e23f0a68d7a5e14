import * as vscode from 'vscode';
import { z } from 'zod';
import { pointOfBranch, pointOfMessage, showComparison, type ComparedPoint } from './showComparison.ts';
import { branchesOf } from '../commands/commandArguments.ts';
import { pickBranch } from './pickBranchOrCheckpoint.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

const messagesArgument = z.object({ chatId: z.string(), messageIds: z.tuple([z.string(), z.string()]) });

/** Commands that compare two branches: by name, picked in the tree, or as two messages of the graph. */
export function compareCommands(deps: Parameters<typeof pickBranch>[0]): CommandHandlers<'compareBranches'> {
  const { current, store } = deps;
  const compareBranches = async (chatId: string, one: string, other: string): Promise<void> => {
    const [left, right] = [await pointOfBranch(deps, chatId, one), await pointOfBranch(deps, chatId, other)];
    await showComparison(store, chatId, left, right);
  };
  const compareMessages = async (chatId: string, ids: readonly [string, string]): Promise<void> => {
    const points: ComparedPoint[] = [];
    for (const id of ids) points.push(await pointOfMessage(deps, chatId, id));
    const [left, right] = points;
    if (left && right) await showComparison(store, chatId, left, right);
  };
  return {
    compareBranches: async (argument, selection) => {
      const messages = messagesArgument.safeParse(argument).data;
      if (messages) return compareMessages(messages.chatId, messages.messageIds);
      const chosen = branchesOf(argument, selection);
      const chatId = chosen[0]?.chatId ?? (await current.chatId());
      const inChat = chosen.filter((branch) => branch.chatId === chatId);
      const one =
        inChat[0]?.name ??
        (await pickBranch(deps, vscode.l10n.t('Select a branch to compare'), {
          active: true,
          all: true,
        }));
      if (one === undefined) return;
      const title = vscode.l10n.t(
        'Select a branch to compare {0} with',
        await deps.labels.label(chatId, one),
      );
      const other =
        inChat[1]?.name ?? (await pickBranch(deps, title, { active: true, all: true, chatId, without: one }));
      if (other !== undefined) await compareBranches(chatId, one, other);
    },
  };
}
