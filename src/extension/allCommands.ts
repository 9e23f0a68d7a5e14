import type { ChatView } from './chat/chatView.ts';
import {
  useInstructionsAgainCommand,
  type UseInstructionsAgainDeps,
} from './context/useInstructionsAgain.ts';
import type { AlternativesPanels } from './alternatives/alternativesPanels.ts';
import { timelineCommand, type TimelineDeps } from './history/timeline.ts';
import type { registerGraph } from './graph/registerGraph.ts';
import type { registerUndoRedo } from './history/undoRedo.ts';
import type { registerStorage } from './storage/registerStorage.ts';
import type { registerSearchView } from './search/searchView.ts';
import type { registerTree } from './tree/registerTree.ts';
import { approvalCommands, type ApprovalCommandsDeps } from './tools/approvalCommands.ts';
import { attachCommands } from './attachments/attachCommands.ts';
import { branchCommands, type BranchCommandsDeps } from './branches/branchCommands.ts';
import { mergeSummaryCommands, type MergeSummaryCommandsDeps } from './summaries/mergeSummaryCommands.ts';
import { chatMarkCommands, type ChatMarkCommandsDeps } from './chats/chatMarkCommands.ts';
import { chatCommands, type ChatCommandsDeps } from './chats/chatCommands.ts';
import { checkpointCommands, type CheckpointCommandsDeps } from './branches/checkpointCommands.ts';
import { compareCommand, type CompareCommandDeps } from './compare/compareCommand.ts';
import { contextCommands, type ContextCommandsDeps } from './context/contextCommands.ts';
import { importExportCommands, type ImportExportCommandsDeps } from './importExport/importExportCommands.ts';
import { goToCommands, type GoToCommandsDeps } from './chat/goToCommands.ts';
import { instructionsCommands, type InstructionsCommandsDeps } from './instructions/instructionsCommands.ts';
import { keyCommands, type KeyCommandsDeps } from './models/keyCommands.ts';
import { messageCommands, type MessageCommandsDeps } from './branches/messageCommands.ts';
import { modelCommands, type ModelCommandsDeps } from './models/modelCommands.ts';
import { questionCommands, type QuestionCommandsDeps } from './chat/questionCommands.ts';
import { rewindCommands, type RewindCommandsDeps } from './branches/rewindCommands.ts';
import { sampleCommands, type SampleCommandsDeps } from './walkthrough/sampleCommands.ts';
import { searchCommand, type SearchCommandDeps } from './search/searchCommand.ts';
import { storageReportCommand, type StorageReportCommandDeps } from './storage/storageReportCommand.ts';
import { applyCommands, type ApplyCommandsDeps } from './applyCode/applyCommands.ts';
import { summaryCommands, type SummaryCommandsDeps } from './summaries/summaryCommands.ts';
import { trashCommands, type TrashCommandsDeps } from './trash/trashCommands.ts';
import { alternativeCommands, type AlternativeCommandsDeps } from './alternatives/alternativeCommands.ts';
import {
  together,
  type CommandHandlers,
  type CommandPart,
  type CommandsOf,
} from './commands/commandHandlers.ts';

/** What the commands need, all of them together. */
export type AllCommandsDeps = AlternativeCommandsDeps &
  ApplyCommandsDeps &
  ApprovalCommandsDeps &
  BranchCommandsDeps &
  ChatCommandsDeps &
  ChatMarkCommandsDeps &
  CheckpointCommandsDeps &
  CompareCommandDeps &
  ContextCommandsDeps &
  GoToCommandsDeps &
  ImportExportCommandsDeps &
  InstructionsCommandsDeps &
  KeyCommandsDeps &
  MergeSummaryCommandsDeps &
  MessageCommandsDeps &
  ModelCommandsDeps &
  QuestionCommandsDeps &
  RewindCommandsDeps &
  SampleCommandsDeps &
  SearchCommandDeps &
  StorageReportCommandDeps &
  SummaryCommandsDeps &
  TimelineDeps &
  TrashCommandsDeps &
  UseInstructionsAgainDeps;

// Loaded together: more files would not be less to load.
export * as rareUseCases from '../conversation/rareUseCases.ts';

/** The commands of what is there from the start. */
export type EarlyCommand = CommandsOf<
  | typeof registerTree
  | typeof registerGraph
  | typeof registerSearchView
  | typeof registerUndoRedo
  | typeof registerStorage
>;

/**
 * Every command of package.json and what does it: a command without a handler, or one with two, does not compile. It is
 * loaded with the first command that is not there from the start.
 */
export function allCommands(
  deps: AllCommandsDeps,
  chat: ChatView,
  alternatives: Pick<AlternativesPanels, 'show'>,
  early: CommandHandlers<EarlyCommand>,
): CommandPart {
  const bringBack = mergeSummaryCommands(deps);
  return {
    dispose: () => bringBack.dispose(),
    handlers: together(
      early,
      summaryCommands(deps),
      bringBack.handlers,
      contextCommands(deps, chat),
      instructionsCommands(deps),
      useInstructionsAgainCommand(deps),
      questionCommands(deps, chat),
      rewindCommands(deps, chat),
      attachCommands(chat),
      checkpointCommands(deps),
      branchCommands(deps),
      compareCommand(deps),
      chatCommands(deps, chat),
      chatMarkCommands(deps, chat),
      messageCommands(deps),
      applyCommands(deps),
      sampleCommands(deps, chat),
      goToCommands(deps, chat),
      searchCommand(deps, chat),
      trashCommands(deps, chat),
      timelineCommand(deps, chat),
      importExportCommands(deps, chat),
      storageReportCommand(deps),
      modelCommands(deps),
      approvalCommands(deps),
      keyCommands(deps),
      alternativeCommands(deps, alternatives),
    ),
  };
}
