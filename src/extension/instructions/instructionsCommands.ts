import * as vscode from 'vscode';
import { z } from 'zod';
import { artifactVersion } from '../../engine/effects.ts';
import { ArtifactNotFoundError } from '../../engine/errors.ts';
import { editInstructions } from './instructionsDocuments.ts';
import { INSTRUCTIONS } from './instructionsName.ts';
import type { Services } from '../services.ts';
import { chatOf, isRowLost } from '../commands/commandArguments.ts';
import { pickChat } from '../chats/pickChat.ts';
import { pickOldInstructions } from '../context/pickFromContext.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

const versionArgument = z.object({ kind: z.literal('artifactVersion'), version: artifactVersion });

/** Writing what the model is told once and for all. */
export function instructionsCommands(
  services: Services,
): CommandHandlers<'editChatInstructions' | 'editWorkspaceInstructions' | 'useInstructionsAgain'> {
  const { current, instructions, store } = services;
  return {
    editChatInstructions: async (...args) => {
      const chatId = isRowLost(args)
        ? await pickChat(services, vscode.l10n.t('Select a chat to edit the instructions of'))
        : (chatOf(args[0])?.chatId ?? (await current.chatId()));
      if (chatId === undefined) return;
      const title = (await store.getChat(chatId))?.title ?? vscode.l10n.t('New chat');
      await editInstructions({ chatId }, vscode.l10n.t('Instructions of {0}', title));
    },
    editWorkspaceInstructions: () =>
      editInstructions('workspace', vscode.l10n.t('Instructions of This Workspace')),
    useInstructionsAgain: async (argument) => {
      const version =
        versionArgument.safeParse(argument).data?.version ?? (await pickOldInstructions(services));
      if (!version?.name.startsWith(INSTRUCTIONS)) return;
      const bytes = await store.blobs.get(version.hash);
      if (!bytes) throw new ArtifactNotFoundError(version.name);
      await instructions.takeAgain(version, bytes);
    },
  };
}
