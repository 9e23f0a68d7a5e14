import { alternativesCommands } from './chat/alternativesCommands.ts';
import type { AlternativesPanels } from './chat/alternativesPanels.ts';
import { applyCodeCommands, reviewCommands } from './files/reviewCommands.ts';
import { attachmentsCommands, attachmentsWork } from './context/attachmentsCommands.ts';
import { branchFilesCommands, KnownOwnFiles } from './branches/branchFilesCommands.ts';
import { branchesCommands, compareCommands } from './branches/branchesCommands.ts';
import { chatCommands, walkthroughCommands } from './chat/chatCommands.ts';
import type { ShownChat } from './commands/currentChat.ts';
import type { registerChat } from './chat/registerChat.ts';
import { chatsCommands } from './commands/chatsCommands.ts';
import { familiesCommands } from './commands/familiesCommands.ts';
import { offeredValues } from './offeredValues.ts';
import {
  together,
  type CommandHandlers,
  type CommandPart,
  type NamesOf,
} from './commands/commandHandlers.ts';
import { contextCommands } from './context/contextCommands.ts';
import type { registerGraph } from './tree/registerGraph.ts';
import { historyCommands } from './branches/historyCommands.ts';
import type { registerUndoRedo } from './branches/undoRedo.ts';
import { importExportCommands } from './importExport/importExportCommands.ts';
import { hooksCommands, HooksReader } from './context/hooksCommands.ts';
import type { HooksReaderOptions } from './context/readHooks.ts';
import { instructionsCommands, instructionsWork, skillsWork } from './context/instructionsCommands.ts';
import { memoryCommands, memoryWork } from './context/memoryCommands.ts';
import { linksCommands } from './branches/linksCommands.ts';
import { createMcpWork, mcpCommands } from './mcp/mcpCommands.ts';
import { modelsCommands } from './models/modelsCommands.ts';
import { originsCommands } from './origins/originsCommands.ts';
import { plansCommands } from './chat/plansCommands.ts';
import { AgentReader, promptsCommands, promptsWork } from './context/promptsCommands.ts';
import { searchCommands } from './tree/searchCommands.ts';
import { registerSearchView } from './tree/searchViewCommands.ts';
import type { registerStorage } from './storage/registerStorage.ts';
import { sharedCommands } from './storage/sharedCommands.ts';
import { offerNoFolderChats, projectCommands, readTitles } from './storage/projectCommands.ts';
import {
  careForOwnFiles,
  reportRecovery,
  storageCommands,
  UnsavedAnswers,
} from './storage/storageCommands.ts';
import { summariesCommands } from './branches/summariesCommands.ts';
import { toolsCommands } from './tools/toolsCommands.ts';
import { trashCommands } from './branches/trashCommands.ts';
import type { registerTree } from './tree/registerTree.ts';
import type { Parts } from './parts.ts';

// Loaded together: splitting the file would save nothing.
export * as laterUseCases from '../conversation/later.ts';
export {
  attachmentsWork,
  createMcpWork,
  instructionsWork,
  memoryWork,
  careForOwnFiles,
  KnownOwnFiles,
  offerNoFolderChats,
  promptsWork,
  AgentReader,
  HooksReader,
  readTitles,
  reportRecovery,
  skillsWork,
  UnsavedAnswers,
};

export const loadJsonc: HooksReaderOptions['loadJsonc'] = async () =>
  (await import('./pages/themeFile.ts')).jsonc;

/** The commands of the parts that exist from the start. */
export type EarlyCommand = NamesOf<
  | typeof registerTree
  | typeof registerGraph
  | typeof registerChat
  | typeof registerUndoRedo
  | typeof registerStorage
>;

/**
 * A command of package.json with no handler, or with two, does not compile. Loaded with the first command that does not
 * exist from the start.
 */
export function allCommands(
  parts: Parts,
  chat: ShownChat,
  alternatives: Pick<AlternativesPanels, 'show'>,
  early: CommandHandlers<EarlyCommand>,
): CommandPart {
  const summaries = summariesCommands(parts);
  const plans = plansCommands(parts, chat);
  const searchView = registerSearchView(parts, chat);
  return {
    dispose: () => {
      summaries.dispose();
      plans.dispose();
      searchView.dispose();
    },
    handlers: together(
      early,
      alternativesCommands(parts, alternatives, chat),
      applyCodeCommands(parts),
      attachmentsCommands(parts, chat),
      branchFilesCommands(parts),
      branchesCommands(parts, chat),
      chatCommands(parts, chat),
      chatsCommands(parts, chat),
      compareCommands(parts),
      contextCommands(parts, chat),
      familiesCommands({ extension: parts.extension, offeredValues: () => offeredValues(parts) }),
      historyCommands(parts, chat),
      hooksCommands(parts),
      importExportCommands(parts, chat),
      instructionsCommands(parts),
      linksCommands(parts, chat),
      mcpCommands(parts),
      memoryCommands(parts),
      modelsCommands(parts),
      originsCommands(parts, chat),
      plans.handlers,
      projectCommands(parts, chat),
      promptsCommands(parts),
      reviewCommands(parts),
      searchCommands(parts, chat),
      searchView.handlers,
      sharedCommands(parts),
      storageCommands(parts, chat),
      summaries.handlers,
      toolsCommands(parts, chat),
      trashCommands(parts, chat),
      walkthroughCommands(parts, chat),
    ),
  };
}
