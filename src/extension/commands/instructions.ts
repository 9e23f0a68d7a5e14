import * as vscode from 'vscode';
import { z } from 'zod';
import { artifactVersion } from '../../engine/effects.ts';
import { ArtifactNotFoundError } from '../../engine/errors.ts';
import { editInstructions } from '../instructions/instructionsDocuments.ts';
import { INSTRUCTIONS } from '../instructions/instructionsName.ts';
import type { Services } from '../services.ts';
import { chatOf } from './arguments.ts';
import { registerCommands } from './register.ts';

const versionArgument = z.object({ kind: z.literal('artifactVersion'), version: artifactVersion });

/** Writing what the model is told once and for all. */
export function registerInstructionCommands(services: Services): vscode.Disposable {
  const { current, instructions, store, log } = services;
  return registerCommands(log, {
    editChatInstructions: async (argument) => {
      const chatId = chatOf(argument)?.chatId ?? (await current.chatId());
      const title = (await store.getChat(chatId))?.title ?? vscode.l10n.t('New chat');
      await editInstructions({ chatId }, vscode.l10n.t('Instructions of {0}', title));
    },
    editWorkspaceInstructions: () =>
      editInstructions('workspace', vscode.l10n.t('Instructions of This Workspace')),
    useInstructionsAgain: async (argument) => {
      const version = versionArgument.safeParse(argument).data?.version;
      if (!version?.name.startsWith(INSTRUCTIONS)) return;
      const bytes = await store.blobs.get(version.hash);
      if (!bytes) throw new ArtifactNotFoundError(version.name);
      await instructions.takeAgain(version, bytes);
    },
  });
}
