import * as vscode from 'vscode';
import { ChatView } from './chat/chatView.ts';
import { registerToolCallFiles } from './chat/toolCallFiles.ts';
import { registerApprovalCommands } from './commands/approvals.ts';
import { registerBringBackCommands } from './commands/bringBack.ts';
import { registerAttachCommands } from './commands/attach.ts';
import { registerBranchCommands } from './commands/branches.ts';
import { registerChatMarkCommands } from './commands/chatMarks.ts';
import { registerChatCommands } from './commands/chats.ts';
import { registerContextCommands } from './commands/context.ts';
import { registerCheckpointCommands } from './commands/checkpoints.ts';
import { registerGoToCommands } from './commands/goTo.ts';
import { registerKeyCommands } from './commands/keys.ts';
import { registerCompareCommand } from './commands/compare.ts';
import { registerExchangeCommands } from './commands/exchange.ts';
import { registerInstructionCommands } from './commands/instructions.ts';
import { registerMessageCommands } from './commands/messages.ts';
import { registerModelCommands } from './commands/models.ts';
import { registerQuestionCommands } from './commands/questions.ts';
import { registerRewindCommands } from './commands/rewind.ts';
import { registerSampleCommands } from './commands/sample.ts';
import { registerSearchCommand } from './commands/search.ts';
import { registerStorageCommands } from './commands/storageReport.ts';
import { registerSuggestionCommands } from './commands/suggestions.ts';
import { registerSummaryCommands } from './commands/summaries.ts';
import { registerTrashCommands } from './commands/trash.ts';
import { registerTryCommands } from './commands/tries.ts';
import { registerContextDocuments } from './context/contextDocuments.ts';
import { registerContextView } from './context/contextView.ts';
import { registerStatusBar } from './context/statusBar.ts';
import { registerContextKeys } from './contextKeys.ts';
import { registerDemoHint } from './demoHint.ts';
import { registerGraph } from './graph/registerGraph.ts';
import { registerTimeline } from './history/timeline.ts';
import { registerModelTitles } from './modelTitles.ts';
import { registerUndoRedo } from './history/undoRedo.ts';
import { registerFirstSteps } from './firstSteps.ts';
import { registerHousekeeping } from './housekeeping.ts';
import { registerInstructionsDocuments } from './instructions/instructionsDocuments.ts';
import { registerOpening } from './opening.ts';
import { registerVersionFiles } from './restore/versionFiles.ts';
import { registerSearchView } from './search/searchView.ts';
import { createServices, type Services } from './services.ts';
import { TreeDrag } from './tree/treeDrag.ts';
import { registerTree } from './tree/treeView.ts';

/** What the integration tests get to look inside; nobody else gets anything. */
export interface OffshootApi {
  readonly services: Services;
  readonly chat: ChatView;
  readonly treeDrag: TreeDrag;
}

/** For `deactivate`, which VS Code calls without an argument and, unlike disposables, waits for. */
let services: Services | undefined;

export function activate(context: vscode.ExtensionContext): OffshootApi | undefined {
  services = createServices(context);
  const treeDrag = new TreeDrag();
  const chat = new ChatView(services, context.extensionUri, treeDrag);
  context.subscriptions.push(
    services,
    chat,
    treeDrag,
    registerTree(services, treeDrag),
    registerContextView(services),
    registerContextDocuments(services),
    registerStatusBar(services),
    registerSummaryCommands(services),
    registerBringBackCommands(services),
    registerContextCommands(services, chat),
    registerInstructionsDocuments(services),
    registerInstructionCommands(services),
    registerQuestionCommands(services, chat),
    registerRewindCommands(services, chat),
    registerAttachCommands(services, chat),
    registerTryCommands(services, chat, context.extensionUri),
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
    registerGraph(services, chat, context.extensionUri),
    registerSearchView(services, chat),
    registerTrashCommands(services, chat),
    registerUndoRedo(services),
    registerTimeline(services, chat),
    registerModelTitles(services),
    registerExchangeCommands(services, chat),
    registerStorageCommands(services),
    registerHousekeeping(services),
    registerModelCommands(services),
    registerApprovalCommands(services),
    registerKeyCommands(services),
    registerVersionFiles(services.store.blobs),
    registerToolCallFiles(services),
    registerContextKeys(services),
    registerOpening(services),
    registerDemoHint(services, context.globalState),
    registerFirstSteps(services),
  );
  return context.extensionMode === vscode.ExtensionMode.Test ? { services, chat, treeDrag } : undefined;
}

export async function deactivate(): Promise<void> {
  await services?.close();
}
