import type { ChatView } from './chat/chatView.ts';
import type { Services } from './services.ts';
import type { TriesPanels } from './alternatives/alternativesPanels.ts';
import { timelineCommand } from './history/timeline.ts';
import type { registerGraph } from './graph/registerGraph.ts';
import type { registerUndoRedo } from './history/undoRedo.ts';
import type { registerOpening } from './storage/storageStartup.ts';
import type { registerSearchView } from './search/searchView.ts';
import type { registerTree } from './tree/registerTree.ts';
import { approvalCommands } from './tools/approvalCommands.ts';
import { attachCommands } from './attachments/attachCommands.ts';
import { branchCommands } from './branches/branchCommands.ts';
import { mergeSummaryCommands } from './summaries/mergeSummaryCommands.ts';
import { chatMarkCommands } from './chats/chatMarkCommands.ts';
import { chatCommands } from './chats/chatCommands.ts';
import { checkpointCommands } from './branches/checkpointCommands.ts';
import { compareCommand } from './compare/compareCommand.ts';
import { contextCommands } from './context/contextCommands.ts';
import { importExportCommands } from './importExport/importExportCommands.ts';
import { goToCommands } from './chat/goToCommands.ts';
import { instructionsCommands } from './instructions/instructionsCommands.ts';
import { keyCommands } from './models/keyCommands.ts';
import { messageCommands } from './branches/messageCommands.ts';
import { modelCommands } from './models/modelCommands.ts';
import { questionCommands } from './chat/questionCommands.ts';
import { rewindCommands } from './branches/rewindCommands.ts';
import { sampleCommands } from './walkthrough/sampleCommands.ts';
import { searchCommand } from './search/searchCommand.ts';
import { storageReportCommand } from './storage/storageReportCommand.ts';
import { applyCommands } from './applyCode/applyCommands.ts';
import { summaryCommands } from './summaries/summaryCommands.ts';
import { trashCommands } from './trash/trashCommands.ts';
import { tryCommands } from './alternatives/alternativeCommands.ts';
import {
  together,
  type CommandHandlers,
  type CommandPart,
  type CommandsOf,
} from './commands/commandHandlers.ts';

// Loaded together: more files would not be less to load.
export * as rareUseCases from '../conversation/rareUseCases.ts';

/** The commands of what is there from the start. */
export type EarlyCommand = CommandsOf<
  | typeof registerTree
  | typeof registerGraph
  | typeof registerSearchView
  | typeof registerUndoRedo
  | typeof registerOpening
>;

/**
 * Every command of package.json and what does it: a command without a handler, or one with two, does not compile. It is
 * loaded with the first command that is not there from the start.
 */
export function allCommands(
  services: Services,
  chat: ChatView,
  tries: Pick<TriesPanels, 'show'>,
  early: CommandHandlers<EarlyCommand>,
): CommandPart {
  const bringBack = mergeSummaryCommands(services);
  return {
    dispose: () => bringBack.dispose(),
    handlers: together(
      early,
      summaryCommands(services),
      bringBack.handlers,
      contextCommands(services, chat),
      instructionsCommands(services),
      questionCommands(services, chat),
      rewindCommands(services, chat),
      attachCommands(chat),
      checkpointCommands(services),
      branchCommands(services),
      compareCommand(services),
      chatCommands(services, chat),
      chatMarkCommands(services, chat),
      messageCommands(services),
      applyCommands(services),
      sampleCommands(services, chat),
      goToCommands(services, chat),
      searchCommand(services, chat),
      trashCommands(services, chat),
      timelineCommand(services, chat),
      importExportCommands(services, chat),
      storageReportCommand(services),
      modelCommands(services),
      approvalCommands(services),
      keyCommands(services),
      tryCommands(services, tries),
    ),
  };
}
