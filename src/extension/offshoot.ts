import * as vscode from 'vscode';
import type { Disposable } from '../kit/disposable.ts';
import type { ChatPage } from './chat/chatPage.ts';
import { ChatView } from './chat/chatView.ts';
import { registerToolCallFiles } from './answers/toolCallFiles.ts';
import { together } from './commands/commandHandlers.ts';
import { Commands } from './commands/commands.ts';
import { registerComparisonDocuments } from './compare/comparisonDocuments.ts';
import { registerContextDocuments } from './context/contextDocuments.ts';
import { registerContextView } from './context/contextView.ts';
import { registerStatusBar } from './context/contextStatusBar.ts';
import { registerContextKeys } from './contextKeys.ts';
import { registerDemoHint } from './models/demoHint.ts';
import { registerGraph } from './graph/registerGraph.ts';
import { registerUndoRedo } from './history/undoRedo.ts';
import { registerFirstSteps } from './walkthrough/walkthroughProgress.ts';
import { registerHousekeeping } from './storage/housekeeping.ts';
import { InstructionsDocuments } from './instructions/instructionsDocuments.ts';
import { registerOpening } from './storage/storageStartup.ts';
import { registerVersionFiles } from './fileRestore/versionFiles.ts';
import { registerSearchView } from './search/searchView.ts';
import { createServices, type Services } from './services.ts';
import { TreeDrag } from './tree/treeDrag.ts';
import { registerTree } from './tree/registerTree.ts';
import { TriesPanels } from './alternatives/alternativesPanels.ts';
import type { VirtualFiles } from './ui/virtualFiles.ts';

/** The extension at work. */
export interface Offshoot extends Disposable {
  readonly services: Services;
  readonly commands: Commands;
  readonly chat: ChatView;
  readonly treeDrag: TreeDrag;
  /** The documents in which instructions are written. */
  readonly instructions: VirtualFiles;
}

/** What activation leaves for later: everything that shows or does something. */
export function startOffshoot(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: ChatPage,
): Offshoot {
  const services = createServices(context, log, page);
  const treeDrag = new TreeDrag();
  const chat = new ChatView(services, page, treeDrag);
  const instructions = new InstructionsDocuments(services);
  const tries = new TriesPanels(services, chat, context.extensionUri);
  const tree = registerTree(services, treeDrag);
  const graph = registerGraph(services, chat, context.extensionUri);
  const search = registerSearchView(services, chat);
  const undoRedo = registerUndoRedo(services);
  const contextKeys = registerContextKeys(services);
  const opening = registerOpening(services);
  const early = together(tree.handlers, graph.handlers, search.handlers, undoRedo.handlers, opening.handlers);
  const commands = new Commands(log, early, async () => {
    const { allCommands } = await import('./allCommands.ts');
    return allCommands(services, chat, tries, early);
  });
  const parts = vscode.Disposable.from(
    services,
    chat,
    treeDrag,
    tree,
    registerContextView(services),
    registerContextDocuments(services),
    registerStatusBar(services),
    instructions,
    tries,
    registerComparisonDocuments(services.store),
    graph,
    search,
    undoRedo,
    registerHousekeeping(services),
    registerVersionFiles(services.store.blobs),
    registerToolCallFiles(services),
    contextKeys,
    opening,
    registerDemoHint(services, context.globalState),
    registerFirstSteps(services),
    commands,
  );
  return { services, commands, chat, treeDrag, instructions, dispose: () => void parts.dispose() };
}
