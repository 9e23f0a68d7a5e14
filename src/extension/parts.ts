import * as vscode from 'vscode';
import { Runs } from '../agent/run/runs.ts';
import { LOCAL_USER } from '../engine/users.ts';
import { createAgentWrites } from '../conversation/agentWrites.ts';
import { ChatMarks } from '../conversation/chatMarks.ts';
import type { OpenChat } from '../conversation/conversationParts.ts';
import type { LoadLater } from '../conversation/loadLater.ts';
import { Conversations } from '../conversation/conversations.ts';
import { logReviewed, logRestored, saveUserArtifact } from '../conversation/userWrites.ts';
import { MessageQueue } from '../conversation/messageQueue.ts';
import { ModelTitles } from '../conversation/modelTitles.ts';
import { Attachments, type AttachmentsWork } from './context/attachedFiles.ts';
import { LastEditor } from './context/lastEditor.ts';
import { Banners, showRestrictedMode } from './ui/banners.ts';
import { laterOrigins } from './origins/laterOrigins.ts';
import { SuggestedChanges } from './files/suggestedChanges.ts';
import { createChat } from './chat/createChat.ts';
import type { ChatPage } from './chat/chatPage.ts';
import { createContext } from './context/createContext.ts';
import { BranchLabels } from './branches/branchLabels.ts';
import { CurrentChat } from './commands/currentChat.ts';
import { logFailure } from './ui/failures.ts';
import { ImportReports } from './importExport/importReports.ts';
import { ProjectHooks } from './context/projectHooks.ts';
import type { HooksReader, HooksReaderOptions } from './context/readHooks.ts';
import { CustomAgents } from './context/customAgents.ts';
import type { AgentReader } from './context/readAgents.ts';
import { createInstructions, userFiles, type InstructionsWork } from './context/instructionsFiles.ts';
import { McpAccess, SharedMcpServer, type McpContext, type McpWork } from './mcp/mcpAccess.ts';
import { createBudget } from './models/createBudget.ts';
import { createModels } from './models/createModels.ts';
import { createFileRestore } from './files/changedFiles.ts';
import type { KnownOwnFiles } from './files/knownOwnFiles.ts';
import { OwnFiles } from './files/ownFiles.ts';
import { EditsReview } from './files/editsReview.ts';
import { Prompts, type PromptsWork } from './context/prompts.ts';
import { Memory, type MemoryWork } from './context/memory.ts';
import { Skills, type SkillsWork } from './context/skills.ts';
import { compactionOf, Settings } from './manifest/settings.ts';
import { ThemeTokens } from './pages/themeTokens.ts';
import { cleanTitle, titleFrom } from './commands/titles.ts';
import { createTools } from './tools/createTools.ts';
import type { ServerModelParts } from './tools/serverModel.ts';
import { folderInUse, workspaceFolders } from './files/openFolders.ts';
import { joinedStores } from './storage/joinedStores.ts';
import { RelatedChats } from './storage/relatedChats.ts';
import type { readTitles } from './storage/storeTitles.ts';
import { openShared } from './storage/openShared.ts';
import { openStorage } from './storage/openStorage.ts';
import type { OpenedProject } from './storage/openProject.ts';
import { keepUnsaved } from './storage/keepUnsaved.ts';
import type { reportRecovery } from './storage/reportRecovery.ts';
import type { UnsavedAnswers } from './storage/unsavedAnswers.ts';
import type { Host } from '../host/hostMachine.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { DurableContextStore } from '../store/durableContextStore.ts';
import { delay } from '../host/timers.ts';
import { DisposableStore } from '../base/disposable.ts';

/** How long the chat may take to appear before other work starts, in milliseconds. */
const PAGE_MS = 3_000;

/** What lives as long as the extension. Each feature says in its parameters what it takes of it. */
export type Parts = Awaited<ReturnType<typeof createParts>>;

/**
 * Creates the parts: the one place that connects them.
 * @param later loads the commands, with what is needed as late as they are
 */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- what is created says what there is
export async function createParts(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  page: Pick<ChatPage, 'shown' | 'isAwaited'>,
  host: Host,
  project: OpenedProject,
  later: () => Promise<{
    readonly attachmentsWork: AttachmentsWork;
    readonly createMcpWork: (context: McpContext) => McpWork;
    readonly instructionsWork: InstructionsWork;
    readonly promptsWork: PromptsWork;
    readonly skillsWork: SkillsWork;
    readonly memoryWork: MemoryWork;
    readonly AgentReader: typeof AgentReader;
    readonly HooksReader: typeof HooksReader;
    readonly loadJsonc: HooksReaderOptions['loadJsonc'];
    readonly laterUseCases: Awaited<ReturnType<LoadLater>>;
    readonly readTitles: typeof readTitles;
    readonly reportRecovery: typeof reportRecovery;
    readonly KnownOwnFiles: typeof KnownOwnFiles;
    readonly UnsavedAnswers: typeof UnsavedAnswers;
  }>,
) {
  const made = new DisposableStore();
  const afterPage = async (): Promise<void> => {
    await Promise.race([page.shown, delay(PAGE_MS)]);
  };
  const loadLater: LoadLater = async () => (await later()).laterUseCases;
  const loadAttachmentsWork = async () => (await later()).attachmentsWork;
  const { globalStorageUri, workspaceState } = context;
  const settings = made.add(new Settings(log, context));
  const opened = await openShared({
    host,
    settings,
    log,
    secrets: context.secrets,
    globalState: context.globalState,
    globalStorageUri,
  });
  const workplace = opened?.store && opened;
  const userId = workplace?.userId ?? LOCAL_USER;
  const { models, keys, keyServers, compatible, signIns, effort } = made.add(
    createModels(settings, context.secrets, host, log, context.extension.id, workspaceFolders),
  );
  const banners = made.add(new Banners());
  const refreshed = made.add(new vscode.EventEmitter<void>());
  const { folder, others } = project;
  const onDidRefresh = (): void => {
    chat.sideQuestions.forget();
    labels.forget();
    contextNow.meter.refresh();
    refreshed.fire();
  };
  const openLocal = (isShared = !project.given): DurableContextStore =>
    openStorage({
      host,
      folder,
      isShared,
      banners,
      log,
      onDidRefresh,
      others: host.isBrowser ? [] : others,
      onAsk: (question) => mcp.answer(question),
      loadRecovery: later,
    });
  const openStore = (each: string): DurableContextStore =>
    openStorage({
      host: { ...host, ...host.platformFor(each) },
      folder: vscode.Uri.parse(each, true),
      others: [],
      isShared: false,
      // Those of this window are about its own conversations.
      banners: made.add(new Banners()),
      log,
      onDidRefresh,
      onAsk: (question) => mcp.answer(question),
      loadRecovery: later,
    });
  const joining = workplace ? undefined : await joinedStores(openLocal, openStore, onDidRefresh);
  const store = workplace?.store ?? joining?.store ?? openLocal();
  const related = made.add(
    new RelatedChats({
      banners,
      log,
      project,
      // Other stores are read only once what is here is shown, unless their chats are shown as well.
      mayLook: joining ? Promise.resolve() : afterPage(),
      readTitles: async (each) => (await later()).readTitles(host, each),
      hasOwnChats: async () => (await store.listChats({ userId, limit: 1, details: false })).length > 0,
      isShared: workplace !== undefined,
      join: joining?.join,
      storeOf: async (chatId) => joining?.storeOf(chatId),
    }),
  );
  const shared = workplace && made.add(workplace.chats);
  const guarded = host.guardedFiles(workspaceFolders);
  const labels = made.add(new BranchLabels(store));
  const ownFiles = made.add(
    new OwnFiles({
      host,
      folder,
      log,
      settings,
      store,
      storeAddress: workplace?.address.text,
      labelOf: (chatId, branch) => labels.label(chatId, branch),
      terminals: () => tools.terminals(),
      wallFor: (chatId, writable) => tools.sandbox.wallFor(chatId, writable),
      hasSandbox: async () => (await tools.sandbox.whyNone()) === undefined,
      load: async () => (await later()).KnownOwnFiles,
    }),
  );
  const { files, moves } = createFileRestore({
    host,
    follows: async (chatId, messageId) => (await ownFiles.known())?.follows(chatId, messageId),
    foldersOfBranches: () => ownFiles.folders(),
    store,
    folder,
    settings,
    by: { userId },
    logRestored: async (chatId, details) => {
      await logRestored(store, chatId, details, { userId });
      review.logged(chatId);
      hooks.tell((reader) => reader.restored(chatId, details));
    },
    onBranchFiles: async (chatId, kept) => {
      await (
        await ownFiles.load()
      ).use(kept, { chatId, set: (...to) => conversations.setBranchFiles(...to) });
    },
  });
  const review = made.add(
    new EditsReview({
      store,
      files,
      log,
      by: { userId },
      foldersOf: async (chatId) => (await ownFiles.known())?.foldersOf(chatId),
      logReviewed: (chatId, details) => logReviewed(store, chatId, details, { userId }),
    }),
  );
  const skills = made.add(
    new Skills({ guarded, host, settings, work: async () => (await later()).skillsWork }),
  );
  const own = userFiles(host);
  const memory = made.add(
    new Memory({
      guarded,
      own,
      host,
      storage: globalStorageUri,
      settings,
      work: async () => (await later()).memoryWork,
    }),
  );
  const tools = made.add(
    createTools({
      settings,
      skills,
      memory,
      guarded,
      host,
      log,
      workspaceState,
      reading: { store, userId },
      serverModel: (): ServerModelParts => ({ runs, store, budget }),
      isShared: workplace !== undefined,
    }),
  );
  made.add(showRestrictedMode(banners));
  const { approvals, changes } = tools;
  const current = made.add(
    new CurrentChat(store, userId, workspaceState, joining && (() => related.looked())),
  );
  const instructions = made.add(
    createInstructions({
      store,
      userId,
      current,
      settings,
      guarded,
      own,
      work: async () => (await later()).instructionsWork,
      save: (chatId, artifact) => saveUserArtifact({ store, userId }, chatId, artifact),
    }),
  );
  const agents = new CustomAgents(tools.mode, async () => {
    const { AgentReader } = await later();
    return new AgentReader({ guarded, host, log, models, settings, tools });
  });
  const hooks = new ProjectHooks(host, async () => {
    const { HooksReader, loadJsonc } = await later();
    const { sandbox } = tools;
    const own = userFiles(host);
    const deps = { banners, current, guarded, host, loadJsonc, log, own, sandbox, store, workspaceState };
    return made.add(new HooksReader(deps));
  });
  models.preferred = () => agents.model();
  const budget = createBudget({ host, folder, settings, store, userId, log });
  const contextNow = made.add(
    createContext({
      store,
      budget,
      userId,
      current,
      labels,
      models,
      settings,
      instructions,
      skills,
      hooks,
      memory,
      log,
      workspaceState,
      tools: tools.offered,
      mode: tools.mode,
      agent: () => agents.selected(),
      leftOutTools: tools.leftOut,
      // Counting loads the tokenizer, which must not delay the first view of the chat.
      mayCount: afterPage(),
    }),
  );
  const runs = made.add(
    new Runs({
      store,
      budget,
      writes: createAgentWrites(store, userId, loadLater),
      keeping: keepUnsaved(workspaceState, async () => {
        const { UnsavedAnswers } = await later();
        return new UnsavedAnswers(workspaceState, workplace?.address.text ?? '', (error) =>
          logFailure(log, 'An answer could not be kept', error),
        );
      }),
      fragments: (about) => contextNow.prompt.fragments(about),
      instructions: async (about) => {
        const { currentEnvironment, environmentParts } = (await later()).instructionsWork;
        const hasCommands = tools.offered().some(({ name }) => name === 'run_command');
        return [
          ...(await instructions.files.forQuestion(about)),
          ...environmentParts(currentEnvironment(host.system, hasCommands), about.path),
        ];
      },
      hooks: async (about) => (await hooks.reader())?.ofRun(about),
      log,
      tools: tools.offered,
      mode: () => tools.mode.current,
      agents: () => agents.ofRun(),
      ownFiles: (about) => ownFiles.ofRun(about, tools.toolsFor),
      approvals,
      fileWriter: (engine) => files.writerFor(engine),
      maxSteps: () => settings.get('tools.maxSteps'),
      explorerModel: (model) =>
        settings.get('explore.model') === 'small' ? models.smallFor(model) : Promise.resolve(model),
      effort,
      compaction: {
        settings: () => compactionOf(settings),
        smallFor: (model) => models.smallFor(model),
      },
    }),
  );
  ownFiles.followRuns(runs);
  const queue = made.add(
    new MessageQueue({
      store,
      userId,
      runs,
      models,
      onError: (error) => logFailure(log, 'A queued message could not be sent', error),
    }),
  );
  const asked = { titleFrom, loadLater, folderInUse, budget, beforeRewind: hooks.beforeRewind };
  const parts = { store, userId, runs, models, current, queue, ...asked };
  const conversations = new Conversations(parts);
  const history = made.add(conversations.history(moves));
  const origins = laterOrigins(
    { store, userId, review, shared, host, onError: (error) => logFailure(log, 'History of git', error) },
    made,
  );
  const mcp = made.add(
    new McpAccess(
      {
        conversations,
        authors: shared,
        origins: origins.origins,
        folder,
        host,
        labels,
        store,
        userId,
        workspaceState,
        globalState: context.globalState,
        globalStorage: globalStorageUri,
        extension: context.extension,
        shared:
          workplace &&
          made.add(
            new SharedMcpServer(
              workplace,
              () => openLocal(false),
              (error) => logFailure(log, 'Storage', error),
            ),
          ),
      },
      async () => (await later()).createMcpWork,
    ),
  );
  const marks = made.add(new ChatMarks(parts, (error) => logFailure(log, 'Marks of chats', error)));
  made.add(
    new ModelTitles({
      store,
      budget,
      runs,
      models,
      titleFrom,
      cleanTitle,
      log,
      isWanted: () => settings.get('titles') === 'model',
      onError: (error) => logFailure(log, 'A title could not be kept', error),
    }),
  );
  const chat = made.add(createChat({ store, runs, approvals, log, workspaceState }));
  const themeTokens = made.add(new ThemeTokens(log));
  const suggestions = made.add(new SuggestedChanges(guarded));
  const importReports = made.add(new ImportReports());
  const readonlyStore: ReadonlyStore = store;
  return {
    log,
    folder,
    host,
    project,
    related,
    settings,
    keys,
    models,
    keyServers,
    compatible,
    signIns,
    banners,
    // `conversations` alone writes.
    store: readonlyStore,
    userId,
    budget,
    runs,
    current,
    conversations,
    history,
    conversationsIn: (open: OpenChat) => new Conversations({ ...parts, current: open }),
    labels,
    workplace,
    shared,
    sharedProblem: opened?.problem,
    openStore,
    globalStorage: globalStorageUri,
    localChats: { open: () => openLocal(false), userId: LOCAL_USER },
    secrets: context.secrets,
    extension: context.extension,
    globalState: context.globalState,
    workspaceState,
    loadLongRuns: () => import('./panels.ts'),
    marks,
    mcp,
    queue,
    files,
    ownFiles,
    guarded,
    moves,
    review,
    ...origins,
    dismissed: chat.dismissed,
    sideQuestions: chat.sideQuestions,
    todos: chat.todos,
    plan: chat.plan,
    approvals,
    changes,
    mode: tools.mode,
    tools,
    commands: tools.commands,
    usage: chat.usage,
    chatUsage: chat.chatUsage,
    context: contextNow.meter,
    warnings: contextNow.warnings,
    foreign: {
      files: host.foreignFiles,
      pathOf: (uri: string) => host.pathOf(uri),
      storage: project.given,
      globalStorage: globalStorageUri,
      openDatabase: async (image: Uint8Array<ArrayBuffer>) => {
        const { databaseOpener } = await import('../store/sqlite/tableReader.ts');
        return databaseOpener(host.wasm, (await host.foreignFiles?.())?.unzstd)(image);
      },
    },
    themeTokens,
    suggestions,
    importReports,
    instructions: instructions.kept,
    memory,
    lastEditor: made.add(
      new LastEditor(async () => {
        await afterPage();
        const { ActiveEditor } = await loadAttachmentsWork();
        return new ActiveEditor(settings, workspaceState);
      }),
    ),
    agents,
    hooks,
    prompts: new Prompts(
      { guarded, log, models, settings, skills, tools },
      async () => (await later()).promptsWork,
    ),
    attachments: new Attachments(store.blobs, guarded, loadAttachmentsWork),
    /** What is next to the chat is read and drawn after it: both have one thread. */
    chatFirst: async () => {
      if (page.isAwaited) await afterPage();
    },
    onDidRefresh: refreshed.event,
    refresh: onDidRefresh,
    /** Stops what runs and closes the store; the received parts of answers are saved. */
    close: async () => {
      await runs.stopAll();
      runs.dispose();
      await store.close();
    },
    dispose: () => made.dispose(),
  };
}
