import * as vscode from 'vscode';
import type { ChatView } from '../chat/chatView.ts';
import type { Services } from '../services.ts';
import type { TriesPanels } from '../tries/triesPanels.ts';
import { registerTimeline } from '../history/timeline.ts';
import { registerApprovalCommands } from './approvals.ts';
import { registerAttachCommands } from './attach.ts';
import { registerBranchCommands } from './branches.ts';
import { registerBringBackCommands } from './bringBack.ts';
import { registerChatMarkCommands } from './chatMarks.ts';
import { registerChatCommands } from './chats.ts';
import { registerCheckpointCommands } from './checkpoints.ts';
import { registerCompareCommand } from './compare.ts';
import { registerContextCommands } from './context.ts';
import { registerExchangeCommands } from './exchange.ts';
import { registerGoToCommands } from './goTo.ts';
import { registerInstructionCommands } from './instructions.ts';
import { registerKeyCommands } from './keys.ts';
import { registerMessageCommands } from './messages.ts';
import { registerModelCommands } from './models.ts';
import { registerQuestionCommands } from './questions.ts';
import { registerRewindCommands } from './rewind.ts';
import { registerSampleCommands } from './sample.ts';
import { registerSearchCommand } from './search.ts';
import { registerStorageCommands } from './storageReport.ts';
import { registerSuggestionCommands } from './suggestions.ts';
import { registerSummaryCommands } from './summaries.ts';
import { registerTrashCommands } from './trash.ts';
import { registerTryCommands } from './tries.ts';

// Loaded together: more files would not be less to load.
export * as rareUseCases from '../../conversation/onDemand.ts';

/** The commands that nothing needs before the first of them is run. */
export function registerCommandsOnDemand(
  services: Services,
  chat: ChatView,
  tries: Pick<TriesPanels, 'show'>,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerSummaryCommands(services),
    registerBringBackCommands(services),
    registerContextCommands(services, chat),
    registerInstructionCommands(services),
    registerQuestionCommands(services, chat),
    registerRewindCommands(services, chat),
    registerAttachCommands(services, chat),
    registerCheckpointCommands(services),
    registerBranchCommands(services),
    registerCompareCommand(services),
    registerChatCommands(services, chat),
    registerChatMarkCommands(services, chat),
    registerMessageCommands(services),
    registerSuggestionCommands(services),
    registerSampleCommands(services, chat),
    registerGoToCommands(services, chat),
    registerSearchCommand(services, chat),
    registerTrashCommands(services, chat),
    registerTimeline(services, chat),
    registerExchangeCommands(services, chat),
    registerStorageCommands(services),
    registerModelCommands(services),
    registerApprovalCommands(services),
    registerKeyCommands(services),
    registerTryCommands(services, tries),
  );
}
