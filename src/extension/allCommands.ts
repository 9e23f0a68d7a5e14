import { alternativesCommands } from './alternatives/alternativesCommands.ts';
import type { AlternativesPanels } from './alternatives/alternativesPanels.ts';
import { applyCodeCommands } from './applyCode/applyCodeCommands.ts';
import { attachmentsCommands, attachmentsWork } from './attachments/attachmentsCommands.ts';
import { branchesCommands } from './branches/branchesCommands.ts';
import { chatCommands } from './chat/chatCommands.ts';
import type { ShownChat } from './chats/shownChat.ts';
import type { registerChat } from './chat/registerChat.ts';
import { chatsCommands } from './chats/chatsCommands.ts';
import {
  together,
  type CommandHandlers,
  type CommandPart,
  type NamesOf,
} from './commands/commandHandlers.ts';
import { compareCommands } from './compare/compareCommands.ts';
import { contextCommands } from './context/contextCommands.ts';
import type { registerGraph } from './graph/registerGraph.ts';
import { historyCommands } from './history/historyCommands.ts';
import type { registerUndoRedo } from './history/undoRedo.ts';
import { importExportCommands } from './importExport/importExportCommands.ts';
import { instructionsCommands, instructionsWork } from './instructions/instructionsCommands.ts';
import { linksCommands } from './links/linksCommands.ts';
import { createMcpWork, mcpCommands } from './mcp/mcpCommands.ts';
import { modelsCommands } from './models/modelsCommands.ts';
import { plansCommands } from './plans/plansCommands.ts';
import { promptsCommands, promptsWork } from './prompts/promptsCommands.ts';
import { reviewCommands } from './review/reviewCommands.ts';
import { searchCommands } from './search/searchCommands.ts';
import type { registerSearchView } from './search/searchView.ts';
import type { registerStorage } from './storage/registerStorage.ts';
import { sharedCommands } from './shared/sharedCommands.ts';
import { reportRecovery, storageCommands, UnsavedAnswers } from './storage/storageCommands.ts';
import { summariesCommands } from './summaries/summariesCommands.ts';
import { toolsCommands } from './tools/toolsCommands.ts';
import { trashCommands } from './trash/trashCommands.ts';
import type { registerTree } from './tree/registerTree.ts';
import type { Parts } from './parts.ts';
import { walkthroughCommands } from './walkthrough/walkthroughCommands.ts';

// Loaded together: splitting the file would save nothing.
export * as rareUseCases from '../conversation/rareUseCases.ts';
export { attachmentsWork, createMcpWork, instructionsWork, promptsWork, reportRecovery, UnsavedAnswers };

/** The commands of the parts that exist from the start. */
export type EarlyCommand = NamesOf<
  | typeof registerTree
  | typeof registerGraph
  | typeof registerSearchView
  | typeof registerChat
  | typeof registerUndoRedo
  | typeof registerStorage
>;

/**
 * Every command of package.json with its handler, part by part: a command with no handler, or with two, does not
 * compile. Loaded with the first command that does not exist from the start.
 */
export function allCommands(
  parts: Parts,
  chat: ShownChat,
  alternatives: Pick<AlternativesPanels, 'show'>,
  early: CommandHandlers<EarlyCommand>,
): CommandPart {
  const summaries = summariesCommands(parts);
  const plans = plansCommands(parts, chat);
  return {
    dispose: () => {
      summaries.dispose();
      plans.dispose();
    },
    handlers: together(
      early,
      alternativesCommands(parts, alternatives),
      applyCodeCommands(parts),
      attachmentsCommands(parts, chat),
      branchesCommands(parts, chat),
      chatCommands(parts, chat),
      chatsCommands(parts, chat),
      compareCommands(parts),
      contextCommands(parts, chat),
      historyCommands(parts, chat),
      importExportCommands(parts, chat),
      instructionsCommands(parts),
      linksCommands(parts, chat),
      mcpCommands(parts),
      modelsCommands(parts),
      plans.handlers,
      promptsCommands(parts),
      reviewCommands(parts),
      searchCommands(parts, chat),
      sharedCommands(parts),
      storageCommands(parts, chat),
      summaries.handlers,
      toolsCommands(parts),
      trashCommands(parts, chat),
      walkthroughCommands(parts, chat),
    ),
  };
}
