import { alternativesCommands, type AlternativesCommandsDeps } from './alternatives/alternativesCommands.ts';
import type { AlternativesPanels } from './alternatives/alternativesPanels.ts';
import { applyCodeCommands, type ApplyCodeCommandsDeps } from './applyCode/applyCodeCommands.ts';
import {
  attachmentsCommands,
  attachmentsWork,
  type AttachmentsCommandsDeps,
} from './attachments/attachmentsCommands.ts';
import { branchesCommands, type BranchesCommandsDeps } from './branches/branchesCommands.ts';
import { chatCommands, type ChatCommandsDeps } from './chat/chatCommands.ts';
import type { ShownChat } from './chats/shownChat.ts';
import type { registerChat } from './chat/registerChat.ts';
import { chatsCommands, type ChatsCommandsDeps } from './chats/chatsCommands.ts';
import {
  together,
  type CommandHandlers,
  type CommandPart,
  type NamesOf,
} from './commands/commandHandlers.ts';
import { compareCommands, type CompareCommandsDeps } from './compare/compareCommands.ts';
import { contextCommands, type ContextCommandsDeps } from './context/contextCommands.ts';
import type { registerGraph } from './graph/registerGraph.ts';
import { historyCommands, type HistoryCommandsDeps } from './history/historyCommands.ts';
import type { registerUndoRedo } from './history/undoRedo.ts';
import { importExportCommands, type ImportExportCommandsDeps } from './importExport/importExportCommands.ts';
import {
  instructionsCommands,
  instructionsWork,
  type InstructionsCommandsDeps,
} from './instructions/instructionsCommands.ts';
import { linksCommands, type LinksCommandsDeps } from './links/linksCommands.ts';
import { createMcpWork, mcpCommands, type McpCommandsDeps } from './mcp/mcpCommands.ts';
import { modelsCommands, type ModelsCommandsDeps } from './models/modelsCommands.ts';
import { plansCommands, type PlansCommandsDeps } from './plans/plansCommands.ts';
import { promptsCommands, promptsWork, type PromptsCommandsDeps } from './prompts/promptsCommands.ts';
import { reviewCommands, type ReviewCommandsDeps } from './review/reviewCommands.ts';
import { searchCommands, type SearchCommandsDeps } from './search/searchCommands.ts';
import type { registerSearchView } from './search/searchView.ts';
import type { registerStorage } from './storage/registerStorage.ts';
import { sharedCommands, type SharedCommandsDeps } from './shared/sharedCommands.ts';
import {
  reportRecovery,
  storageCommands,
  UnsavedAnswers,
  type StorageCommandsDeps,
} from './storage/storageCommands.ts';
import { summariesCommands, type SummariesCommandsDeps } from './summaries/summariesCommands.ts';
import { toolsCommands, type ToolsCommandsDeps } from './tools/toolsCommands.ts';
import { trashCommands, type TrashCommandsDeps } from './trash/trashCommands.ts';
import type { registerTree } from './tree/registerTree.ts';
import { walkthroughCommands, type WalkthroughCommandsDeps } from './walkthrough/walkthroughCommands.ts';

/** Everything the commands need. */
export interface AllCommandsDeps
  extends
    AlternativesCommandsDeps,
    ApplyCodeCommandsDeps,
    AttachmentsCommandsDeps,
    BranchesCommandsDeps,
    ChatCommandsDeps,
    ChatsCommandsDeps,
    CompareCommandsDeps,
    ContextCommandsDeps,
    HistoryCommandsDeps,
    ImportExportCommandsDeps,
    InstructionsCommandsDeps,
    LinksCommandsDeps,
    McpCommandsDeps,
    ModelsCommandsDeps,
    PlansCommandsDeps,
    PromptsCommandsDeps,
    ReviewCommandsDeps,
    SearchCommandsDeps,
    SharedCommandsDeps,
    StorageCommandsDeps,
    SummariesCommandsDeps,
    ToolsCommandsDeps,
    TrashCommandsDeps,
    WalkthroughCommandsDeps {}

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
  deps: AllCommandsDeps,
  chat: ShownChat,
  alternatives: Pick<AlternativesPanels, 'show'>,
  early: CommandHandlers<EarlyCommand>,
): CommandPart {
  const summaries = summariesCommands(deps);
  const plans = plansCommands(deps, chat);
  return {
    dispose: () => {
      summaries.dispose();
      plans.dispose();
    },
    handlers: together(
      early,
      alternativesCommands(deps, alternatives),
      applyCodeCommands(deps),
      attachmentsCommands(deps, chat),
      branchesCommands(deps, chat),
      chatCommands(deps, chat),
      chatsCommands(deps, chat),
      compareCommands(deps),
      contextCommands(deps, chat),
      historyCommands(deps, chat),
      importExportCommands(deps, chat),
      instructionsCommands(deps),
      linksCommands(deps, chat),
      mcpCommands(deps),
      modelsCommands(deps),
      plans.handlers,
      promptsCommands(deps),
      reviewCommands(deps),
      searchCommands(deps, chat),
      sharedCommands(deps),
      storageCommands(deps, chat),
      summaries.handlers,
      toolsCommands(deps),
      trashCommands(deps, chat),
      walkthroughCommands(deps, chat),
    ),
  };
}
