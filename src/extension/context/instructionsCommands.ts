import * as vscode from 'vscode';
import {
  findInstructions,
  projectInstructionsFragments,
} from '../../agent/instructions/projectInstructions.ts';
import { environmentParts } from '../../agent/instructions/environmentParts.ts';
import { currentEnvironment } from './currentEnvironment.ts';
import { questionInstructions, type MatchesPattern } from '../../agent/instructions/questionInstructions.ts';
import { instructionsReader, patternBelow } from '../../agent/instructions/readApplyTo.ts';
import { editInstructions } from './instructionsDocuments.ts';
import type { InstructionsWork } from './instructionsFiles.ts';
import { editorTexts } from '../files/editorEncodings.ts';
import { chatOf, isRowLost } from '../commands/commandArguments.ts';
import { pickChat, type ChatsOfUser } from '../commands/pickChat.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { uriBelow } from '../../host/fileUri.ts';

export { skillsWork } from './skillsWork.ts';

/** VS Code's own globs. They check only the address of a document, so that none has to be opened. */
export const matchesPattern: MatchesPattern = (pattern, { folder, path }) => {
  const base = vscode.Uri.parse(folder, true);
  const selector = { pattern: new vscode.RelativePattern(base, patternBelow(pattern)) };
  const document = { uri: vscode.Uri.parse(uriBelow(folder, path), true), languageId: 'plaintext' };
  return vscode.languages.match(selector, document as vscode.TextDocument) > 0;
};

/** The code instructions files need, loaded with the commands: splitting the file would save nothing. */
export const instructionsWork: InstructionsWork = {
  findInstructions,
  projectInstructionsFragments,
  questionInstructions,
  environmentParts,
  currentEnvironment,
  instructionsReader,
  matchesPattern,
  texts: editorTexts,
};

export function instructionsCommands(
  deps: ChatsOfUser,
): CommandHandlers<'editChatInstructions' | 'editWorkspaceInstructions'> {
  const { current, store } = deps;
  return {
    editChatInstructions: async (...args) => {
      const chatId = isRowLost(args)
        ? await pickChat(deps, vscode.l10n.t('Select a chat to edit the instructions of'))
        : (chatOf(args[0])?.chatId ?? (await current.chatId()));
      if (chatId === undefined) return;
      const title = (await store.getChat(chatId))?.title ?? vscode.l10n.t('New chat');
      await editInstructions({ chatId }, vscode.l10n.t('Instructions of {0}', title));
    },
    editWorkspaceInstructions: () =>
      editInstructions('workspace', vscode.l10n.t('Instructions of This Workspace')),
  };
}
