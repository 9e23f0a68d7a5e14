import * as vscode from 'vscode';
import type { Disposable } from '../engine/event.ts';
import type { ChatPage } from './chat/chatPage.ts';
import { ChatView } from './chat/chatView.ts';
import { registerToolCallFiles } from './chat/toolCallFiles.ts';
import { registerComparisonDocuments } from './compare/comparisonDocuments.ts';
import { registerContextDocuments } from './context/contextDocuments.ts';
import { registerContextView } from './context/contextView.ts';
import { registerStatusBar } from './context/statusBar.ts';
import { registerContextKeys } from './contextKeys.ts';
import { registerDemoHint } from './demoHint.ts';
import { registerGraph } from './graph/registerGraph.ts';
import { registerUndoRedo } from './history/undoRedo.ts';
import { registerFirstSteps } from './firstSteps.ts';
import { registerHousekeeping } from './housekeeping.ts';
import { InstructionsDocuments } from './instructions/instructionsDocuments.ts';
import { registerOpening } from './opening.ts';
import { registerVersionFiles } from './restore/versionFiles.ts';
import { registerSearchView } from './search/searchView.ts';
import { createServices, type Services } from './services.ts';
import { TreeDrag } from './tree/treeDrag.ts';
import { registerTree } from './tree/treeView.ts';
import { TriesPanels } from './tries/triesPanels.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** The extension at work. */
export interface Offshoot extends Disposable {
  readonly services: Services;
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
  const { commands } = services;
  const treeDrag = new TreeDrag();
  const chat = new ChatView(services, page, treeDrag);
  const instructions = new InstructionsDocuments(services);
  const tries = new TriesPanels(services, chat, context.extensionUri);
  const parts = vscode.Disposable.from(
    services,
    chat,
    treeDrag,
    registerTree(services, treeDrag),
    registerContextView(services),
    registerContextDocuments(services),
    registerStatusBar(services),
    instructions,
    tries,
    registerComparisonDocuments(services.store),
    registerGraph(services, chat, context.extensionUri),
    registerSearchView(services, chat),
    registerUndoRedo(services),
    registerHousekeeping(services),
    registerVersionFiles(services.store.blobs),
    registerToolCallFiles(services),
    registerContextKeys(services),
    registerOpening(services),
    registerDemoHint(services, context.globalState),
    registerFirstSteps(services),
    commands.addLater(async () => {
      const { registerCommandsOnDemand } = await import('./commands/onDemand.ts');
      return registerCommandsOnDemand(services, chat, tries);
    }),
  );
  return { services, chat, treeDrag, instructions, dispose: () => void parts.dispose() };
}
