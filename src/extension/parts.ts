import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Runs } from '../agent/runs.ts';
import { Approvals } from '../agent/tools/approvals.ts';
import { createAgentWrites } from '../conversation/agentWrites.ts';
import { ChatMarks } from '../conversation/chatMarks.ts';
import type { LoadRare } from '../conversation/loadRare.ts';
import { Conversations } from '../conversation/conversations.ts';
import { logRestored } from '../conversation/logRestored.ts';
import { ModelTitles } from '../conversation/modelTitles.ts';
import { saveUserArtifact } from '../conversation/userArtifacts.ts';
import { ApiKeys } from './models/apiKeys.ts';
import { Attachments } from './attachments/attachedFiles.ts';
import { Banners } from './ui/banners.ts';
import { SuggestedChanges } from './applyCode/suggestedChanges.ts';
import { Asides } from './chat/sideQuestions.ts';
import { BranchUsage } from './chat/branchUsage.ts';
import type { ChatPage } from './chat/chatPage.ts';
import { DismissedAsides } from './chat/dismissedSideQuestions.ts';
import { ContextWarnings } from './context/contextWarnings.ts';
import { ContextMeter } from './context/contextMeter.ts';
import { SystemPrompt } from './context/promptSource.ts';
import { CurrentChat, USER_ID } from './chats/currentChat.ts';
import { logFailure } from './ui/failures.ts';
import { AgentsFiles } from './instructions/agentsFiles.ts';
import { InstructionsKept } from './instructions/instructionsKept.ts';
import { selectedEffort } from './models/reasoningEffort.ts';
import { createModels } from './models/createModels.ts';
import { createChangedFiles } from './fileRestore/changedFiles.ts';
import { FileMoves } from './fileRestore/fileMoves.ts';
import { Settings } from './settings/settings.ts';
import { ThemeTokens } from './theme/themeTokens.ts';
import { cleanTitle, titleFrom } from './chats/titles.ts';
import { WorkspaceAllowances } from './tools/allowances.ts';
import { ProposedChanges } from './tools/proposedChanges.ts';
import { createAgentTools } from './tools/agentTools.ts';
import { workspaceFolders } from './workspaceFiles/editorWorkspace.ts';
import { noFolderBanner, openStorage } from './storage/openStorage.ts';
import type { Disposable } from '../kit/disposable.ts';
import type { AllCommandsDeps } from './allCommands.ts';
import type { AlternativesPanelsDeps } from './alternatives/alternativesPanels.ts';
import type { ToolCallFilesDeps } from './answers/toolCallFiles.ts';
import type { ChatViewDeps } from './chat/chatView.ts';
import type { ContextDeps } from './context/registerContext.ts';
import type { ContextKeysDeps } from './contextKeys.ts';
import type { GraphPanelDeps } from './graph/graphPanel.ts';
import type { UndoRedoDeps } from './history/undoRedo.ts';
import type { InstructionsDocumentsDeps } from './instructions/instructionsDocuments.ts';
import type { DemoHintDeps } from './models/demoHint.ts';
import type { SearchViewDeps } from './search/searchView.ts';
import type { StorageDeps } from './storage/registerStorage.ts';
import type { RegisterTreeDeps } from './tree/registerTree.ts';
import type { WalkthroughProgressDeps } from './walkthrough/walkthroughProgress.ts';

/** All that features ask for, each in an interface of its own. */
export interface Parts
  extends
    AllCommandsDeps,
    AlternativesPanelsDeps,
    ChatViewDeps,
    ContextDeps,
    ContextKeysDeps,
    DemoHintDeps,
    Disposable,
    GraphPanelDeps,
    InstructionsDocumentsDeps,
    RegisterTreeDeps,
    SearchViewDeps,
    StorageDeps,
    ToolCallFilesDeps,
    UndoRedoDeps,
    WalkthroughProgressDeps {
  /** Stops what runs and closes the store; what has arrived of answers is saved. */
  close(): Promise<void>;
}

/** How long the chat may take to show itself before other things are done, in milliseconds. */
const PAGE_MS = 3_000;

const loadRare: LoadRare = async () => (await import('./allCommands.ts')).rareUseCases;

/**
 * Makes what lives as long as the extension: the one place that says who needs whom. Features take what they need of it,
 * each by an interface of its own.
 */
export function createParts(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: Pick<ChatPage, 'shown'>,
): Parts {
  const settings = new Settings(log);
  const keys = new ApiKeys(context.secrets);
  const { models, keyServers, compatible } = createModels(settings, keys);
  const banners = new Banners();
  const refreshed = new vscode.EventEmitter<void>();
  const folder = context.storageUri ?? context.globalStorageUri;
  if (!context.storageUri) banners.show(noFolderBanner());
  const { extensionUri } = context;
  const onDidRefresh = (): void => {
    asides.forget();
    sent.refresh();
    refreshed.fire();
  };
  const store = openStorage({ extensionUri, folder, banners, log, onDidRefresh });
  const files = createChangedFiles(store, folder, settings, (chatId, details) =>
    logRestored(store, chatId, details),
  );
  const moves = new FileMoves(files.restorer, settings);
  const approvals = new Approvals(new WorkspaceAllowances(context.workspaceState));
  const changes = new ProposedChanges(approvals, log);
  const current = new CurrentChat(store, context.workspaceState);
  const instructions = new InstructionsKept(store, current, (chatId, artifact) =>
    saveUserArtifact({ store, userId: USER_ID }, chatId, artifact),
  );
  const agentsFiles = new AgentsFiles(settings, workspaceFolders);
  const prompt = new SystemPrompt(instructions, agentsFiles);
  const tools = createAgentTools(settings);
  const runs = new Runs({
    store,
    writes: createAgentWrites(store, USER_ID, loadRare),
    fragments: (about) => prompt.fragments(about),
    log,
    tools: tools.offered,
    approvals,
    fileWriter: (engine) => files.writerFor(engine),
    maxSteps: () => settings.get('tools.maxSteps'),
    effort: (model) => selectedEffort(settings, model),
  });
  const sent = new ContextMeter({
    ...{ store, current, models, settings, prompt, log },
    tools: tools.offered,
    leftOutTools: tools.leftOut,
    // To count loads the tokenizer, which the first view of the chat must not wait for.
    mayCount: Promise.race([page.shown, delay(PAGE_MS)]),
  });
  const warnings = new ContextWarnings(sent, context.workspaceState);
  const parts = { store, userId: USER_ID, runs, models, current, titleFrom, loadRare };
  const conversations = new Conversations(parts);
  const marks = new ChatMarks(parts, (error) => logFailure(log, 'Marks of chats', error));
  const titles = new ModelTitles({
    ...{ store, runs, models, titleFrom, cleanTitle, log },
    isWanted: () => settings.get('titles') === 'model',
    onError: (error) => logFailure(log, 'A title could not be kept', error),
  });
  const dismissed = new DismissedAsides(context.workspaceState);
  const asides = new Asides(store, runs, dismissed, approvals);
  const themeTokens = new ThemeTokens(log);
  const suggestions = new SuggestedChanges();
  const usage = new BranchUsage(store);
  return {
    ...{
      log,
      folder,
      settings,
      keys,
      models,
      keyServers,
      compatible,
      banners,
      store,
      runs,
      current,
      conversations,
      marks,
      files,
      moves,
      dismissed,
      asides,
      approvals,
      changes,
      usage,
      context: sent,
      warnings,
      prompt,
      themeTokens,
      suggestions,
      instructions,
      attachments: new Attachments(store.blobs, workspaceFolders),
    },
    onDidRefresh: refreshed.event,
    refresh: onDidRefresh,
    close: async () => {
      await runs.stopAll();
      runs.dispose();
      await store.close();
    },
    dispose: () => {
      for (const part of [
        // Disposed in reverse order of their making.
        titles,
        marks,
        warnings,
        sent,
        themeTokens,
        usage,
        suggestions,
        prompt,
        agentsFiles,
        instructions,
        runs,
        changes,
        approvals,
        asides,
        current,
        keys,
        banners,
        refreshed,
      ])
        part.dispose();
    },
  };
}
