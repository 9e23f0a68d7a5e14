import type { ChatView } from '../chat/chatView.ts';
import type { Services } from '../services.ts';
import type { TriesPanels } from '../tries/triesPanels.ts';
import { timelineCommand } from '../history/timeline.ts';
import type { registerGraph } from '../graph/registerGraph.ts';
import type { registerUndoRedo } from '../history/undoRedo.ts';
import type { registerOpening } from '../opening.ts';
import type { registerSearchView } from '../search/searchView.ts';
import type { registerTree } from '../tree/treeView.ts';
import { approvalCommands } from './approvals.ts';
import { attachCommands } from './attach.ts';
import { branchCommands } from './branches.ts';
import { bringBackCommands } from './bringBack.ts';
import { chatMarkCommands } from './chatMarks.ts';
import { chatCommands } from './chats.ts';
import { checkpointCommands } from './checkpoints.ts';
import { compareCommand } from './compare.ts';
import { contextCommands } from './context.ts';
import { exchangeCommands } from './exchange.ts';
import { goToCommands } from './goTo.ts';
import { instructionCommands } from './instructions.ts';
import { keyCommands } from './keys.ts';
import { messageCommands } from './messages.ts';
import { modelCommands } from './models.ts';
import { questionCommands } from './questions.ts';
import { rewindCommands } from './rewind.ts';
import { sampleCommands } from './sample.ts';
import { searchCommand } from './search.ts';
import { storageCommand } from './storageReport.ts';
import { suggestionCommands } from './suggestions.ts';
import { summaryCommands } from './summaries.ts';
import { trashCommands } from './trash.ts';
import { tryCommands } from './tries.ts';
import { together, type CommandHandlers, type CommandPart, type CommandsOf } from './commandHandlers.ts';

// Loaded together: more files would not be less to load.
export * as rareUseCases from '../../conversation/onDemand.ts';

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
  const bringBack = bringBackCommands(services);
  return {
    dispose: () => bringBack.dispose(),
    handlers: together(
      early,
      summaryCommands(services),
      bringBack.handlers,
      contextCommands(services, chat),
      instructionCommands(services),
      questionCommands(services, chat),
      rewindCommands(services, chat),
      attachCommands(chat),
      checkpointCommands(services),
      branchCommands(services),
      compareCommand(services),
      chatCommands(services, chat),
      chatMarkCommands(services, chat),
      messageCommands(services),
      suggestionCommands(services),
      sampleCommands(services, chat),
      goToCommands(services, chat),
      searchCommand(services, chat),
      trashCommands(services, chat),
      timelineCommand(services, chat),
      exchangeCommands(services, chat),
      storageCommand(services),
      modelCommands(services),
      approvalCommands(services),
      keyCommands(services),
      tryCommands(services, tries),
    ),
  };
}
