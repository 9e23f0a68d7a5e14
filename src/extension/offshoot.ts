import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Host } from '../host/hostMachine.ts';
import type { ChatPage } from './chat/chatPage.ts';
import type { ChatPanels } from './chat/chatPanels.ts';
import type { ChatSideBar } from './chat/chatSideBar.ts';
import { registerChat } from './chat/registerChat.ts';
import { registerToolCallFiles } from './pages/toolCallFiles.ts';
import { together } from './commands/commandHandlers.ts';
import { Commands } from './commands/commands.ts';
import { registerComparisonDocuments } from './branches/comparisonDocuments.ts';
import { registerContext } from './context/registerContext.ts';
import { registerContextKeys } from './contextKeys.ts';
import { registerDemoHint } from './models/demoHint.ts';
import { registerGraph } from './tree/registerGraph.ts';
import { registerImportExport } from './importExport/registerImportExport.ts';
import { registerUndoRedo } from './branches/undoRedo.ts';
import { registerMcp } from './mcp/mcpAccess.ts';
import { registerWalkthroughProgress } from './chat/walkthroughProgress.ts';
import { InstructionsDocuments } from './context/instructionsDocuments.ts';
import { registerVersionFiles } from './files/versionFiles.ts';
import { registerReview } from './files/reviewLenses.ts';
import { registerLineMarks } from './origins/registerLineMarks.ts';
import { createParts, type Parts } from './parts.ts';
import type { TreeDrag } from './tree/treeDrag.ts';
import { registerTree } from './tree/registerTree.ts';
import { AlternativesPanels } from './chat/alternativesPanels.ts';
import { registerRunNotices } from './chat/registerRunNotices.ts';
import { registerNoFolderChats } from './storage/noFolderChats.ts';
import type { OpenedProject } from './storage/openProject.ts';
import { registerShared } from './storage/openShared.ts';
import { registerStorage } from './storage/registerStorage.ts';
import type { VirtualFiles } from './ui/virtualFiles.ts';

export interface Offshoot extends Disposable {
  readonly parts: Parts;
  readonly commands: Commands;
  readonly chat: ChatSideBar;
  readonly chatPanels: () => Promise<ChatPanels>;
  readonly treeDrag: TreeDrag;
  /** For editing instructions. */
  readonly instructions: VirtualFiles;
}

/** The part of activation that is deferred. */
export async function startOffshoot(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: ChatPage,
  host: Host,
  project: OpenedProject,
): Promise<Offshoot> {
  const { extensionUri, globalState } = context;
  const loadCommands = () => import('./allCommands.ts');
  const loadPanels = () => import('./panels.ts');
  const parts = await createParts(context, log, page, host, project, loadCommands);
  const tree = registerTree(parts);
  const chats = registerChat(parts, page, tree.drag, loadPanels);
  const chat = chats.inUse;
  const instructions = new InstructionsDocuments(parts);
  const alternatives = new AlternativesPanels(parts, chat, extensionUri, loadPanels);
  const graph = registerGraph(parts, chat, extensionUri, loadPanels);
  const undoRedo = registerUndoRedo(parts);
  const contextKeys = registerContextKeys(parts);
  const storage = registerStorage(parts, async () => (await loadCommands()).careForOwnFiles(parts));
  const early = together(tree.handlers, chats.handlers, graph.handlers, undoRedo.handlers, storage.handlers);
  const commands = new Commands(log, early, async () => {
    const { allCommands } = await loadCommands();
    return allCommands(parts, chat, alternatives, early);
  });
  const disposables = vscode.Disposable.from(
    parts,
    chats,
    tree,
    registerContext(parts),
    instructions,
    alternatives,
    registerComparisonDocuments(parts.store),
    graph,
    undoRedo,
    registerVersionFiles(parts.store.blobs),
    registerToolCallFiles(parts),
    registerReview(parts),
    registerLineMarks(parts),
    registerImportExport(parts),
    registerRunNotices(parts, loadPanels, {
      isShown: (chatId) => chats.isShown(chatId),
      areAlternativesShown: (chatId) => alternatives.areShown(chatId),
      show: (chatId) => chats.show(chatId),
    }),
    contextKeys,
    storage,
    registerNoFolderChats(parts, async () => (await loadCommands()).offerNoFolderChats(parts)),
    registerShared(parts),
    registerMcp(parts),
    registerDemoHint(parts, globalState),
    registerWalkthroughProgress(parts),
    commands,
  );
  return {
    parts,
    commands,
    chat: chats.sideBar,
    chatPanels: chats.panels,
    treeDrag: tree.drag,
    instructions,
    dispose: () => void disposables.dispose(),
  };
}
