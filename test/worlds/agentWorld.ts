import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { hint } from '../../src/engine/fragments/index.ts';
import { readUIMessage, textOf, type UIMessage } from '../../src/engine/uiMessage.ts';
import type {
  ContextStore,
  NewDraft,
  SaveDraft,
  SavedMessages,
  SaveMessages,
} from '../../src/engine/store.ts';
import { SqlContextStore } from '../../src/store/sqlite/contextStore.ts';
import { MemoryBlobStore, openMemoryDatabase } from '../../src/store/sqlite/inMemory.ts';
import { sqliteWasm } from '../fixtures/wasm.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { answerMetadataOf, type AnswerMetadata } from '../../src/agent/run/answerMetadata.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { OpenAiCompatibleSource } from '../../src/models/providers/compatible/openAiCompatible.ts';
import type { RunLog } from '../../src/agent/run/runLog.ts';
import { createAgentWrites } from '../../src/conversation/agentWrites.ts';
import { Runs, type Run, type RunEvent, type RunsOptions } from '../../src/agent/run/runs.ts';
import type { Scheduler } from '../../src/base/scheduler.ts';
import { fetchWithoutTimeout } from '../../src/host/node/fetchWithoutTimeout.ts';
import { memoryStore } from '../fixtures/stores.ts';
import { startOpenAiServer, type OpenAiServer, type Script } from '../fixtures/openaiServer.ts';
import { loadLater } from '../fixtures/loadLater.ts';

export const CHAT = 'chat-1';
export const USER = 'ann';

/** A log a test can read. */
export class MemoryLog implements RunLog {
  readonly lines: string[] = [];
  info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string): void {
    this.lines.push(`error ${message}`);
  }
}

/** Time that moves when the test says so. */
export class ManualScheduler implements Scheduler {
  private time = 1_000_000;
  private timers: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(delay: number, callback: () => void): Disposable {
    const timer = { at: this.time + delay, callback };
    this.timers.push(timer);
    return { dispose: () => (this.timers = this.timers.filter((each) => each !== timer)) };
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
    const due = this.timers.filter((timer) => timer.at <= this.time);
    this.timers = this.timers.filter((timer) => timer.at > this.time);
    for (const timer of due) timer.callback();
  }
}

/** A store whose disk can be full, and that tells of the drafts it gets. */
export class FragileStore extends SqlContextStore {
  isFull = false;
  /** The drafts saved so far, by their length. */
  readonly draftLengths: number[] = [];
  private tries = 0;
  private waiting: { readonly tries: number; readonly go: () => void }[] = [];

  constructor() {
    super({ open: () => openMemoryDatabase(sqliteWasm), blobs: new MemoryBlobStore() });
  }

  override saveMessages(request: SaveMessages): Promise<SavedMessages> {
    return this.isFull ? Promise.reject(new Error('disk full')) : super.saveMessages(request);
  }

  override async saveDraft(draft: NewDraft, options: SaveDraft = {}): Promise<void> {
    if (options.ifShared) return super.saveDraft(draft, options);
    try {
      if (this.isFull) throw new Error('disk full');
      await super.saveDraft(draft);
      this.draftLengths.push(textOf(draft.message).length);
    } finally {
      this.tries += 1;
      for (const each of this.waiting) if (each.tries <= this.tries) each.go();
    }
  }

  /** Resolves once so many drafts have been saved, or refused. */
  async draftTried(tries = 1): Promise<void> {
    if (this.tries >= tries) return;
    await new Promise<void>((go) => this.waiting.push({ tries, go }));
  }
}

export interface WorldOptions extends Partial<
  Pick<
    RunsOptions,
    | 'maxRetries'
    | 'scheduler'
    | 'keeping'
    | 'fragments'
    | 'tools'
    | 'maxSteps'
    | 'approvals'
    | 'fileWriter'
    | 'effort'
    | 'mode'
    | 'agents'
    | 'compaction'
    | 'explorerModel'
    | 'instructions'
    | 'budget'
    | 'hooks'
    | 'ownFiles'
  >
> {
  readonly script?: Script;
  readonly key?: string;
  readonly serverKey?: string;
  readonly store?: ContextStore;
}

/** A store, a model server and the runs between them. */
export class World implements AsyncDisposable {
  readonly log = new MemoryLog();
  readonly events: RunEvent[] = [];
  readonly runs: Runs;
  readonly source: OpenAiCompatibleSource;
  readonly budget: RunsOptions['budget'];
  private waiting: { readonly isMet: (event: RunEvent) => boolean; readonly go: () => void }[] = [];

  constructor(
    readonly store: ContextStore,
    readonly server: OpenAiServer,
    {
      key,
      maxRetries,
      scheduler,
      keeping,
      tools,
      maxSteps,
      approvals,
      fileWriter,
      effort,
      mode,
      agents,
      compaction,
      explorerModel,
      instructions,
      budget,
      hooks,
      ownFiles,
      fragments = () => [hint('Be brief.')],
    }: WorldOptions,
  ) {
    this.budget = budget;
    const { baseUrl } = server;
    this.source = new OpenAiCompatibleSource({
      settings: () => ({ baseUrl, models: ['test-model'] }),
      keyFor: () => Promise.resolve(key),
      fetch: fetchWithoutTimeout,
    });
    this.runs = new Runs({
      store,
      writes: createAgentWrites(store, USER, loadLater),
      fragments,
      log: this.log,
      ...(maxRetries === undefined ? {} : { maxRetries }),
      ...(scheduler === undefined ? {} : { scheduler }),
      ...(keeping === undefined ? {} : { keeping }),
      ...(tools === undefined ? {} : { tools }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(approvals === undefined ? {} : { approvals }),
      ...(fileWriter === undefined ? {} : { fileWriter }),
      ...(effort === undefined ? {} : { effort }),
      ...(mode === undefined ? {} : { mode }),
      ...(agents === undefined ? {} : { agents }),
      ...(compaction === undefined ? {} : { compaction }),
      ...(explorerModel === undefined ? {} : { explorerModel }),
      ...(instructions === undefined ? {} : { instructions }),
      ...(budget === undefined ? {} : { budget }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(ownFiles === undefined ? {} : { ownFiles }),
    });
    this.runs.onDidChange((event) => {
      this.events.push(event);
      const met = this.waiting.filter((each) => each.isMet(event));
      this.waiting = this.waiting.filter((each) => !met.includes(each));
      for (const each of met) each.go();
    });
  }

  async model(): Promise<ChatModel> {
    const model = await this.source.find('openai-compatible:test-model');
    if (model === undefined) throw new Error('The test model is missing.');
    return model;
  }

  async ask(question: string, branch = 'main'): Promise<Run> {
    return this.runs.start({ chatId: CHAT, branch, question, model: await this.model() });
  }

  /** Asks and waits for the end of the answer. */
  async answered(question: string, branch = 'main'): Promise<Run> {
    const run = await this.ask(question, branch);
    await run.done;
    return run;
  }

  /** Resolves when the answer of a run has come as far as `text`. */
  async arrived(run: Run, text: string): Promise<void> {
    if (textOf(run.message()).endsWith(text)) return;
    await new Promise<void>((go) =>
      this.waiting.push({
        go,
        isMet: (event) => event.run === run && textOf(run.message()).endsWith(text),
      }),
    );
  }

  /** Resolves when what a run tells makes the condition true. */
  async until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    await new Promise<void>((go) => this.waiting.push({ go, isMet }));
  }

  /** Makes the chat, and tells the branch it begins with. */
  async startChat(): Promise<string> {
    await this.store.upsertChat({ id: CHAT, userId: USER });
    return 'main';
  }

  engine(branch?: string): ContextEngine {
    return new ContextEngine({
      store: this.store,
      chatId: CHAT,
      userId: USER,
      ...(branch === undefined ? {} : { branch }),
    });
  }

  /** The messages on a branch as they are stored. */
  async path(branch = 'main'): Promise<UIMessage[]> {
    const head = (await this.store.getBranch(CHAT, branch))?.headMessageId;
    if (head === null || head === undefined) return [];
    const path = await this.store.getPath(CHAT, head);
    return path.flatMap((message) => readUIMessage(message.data) ?? []);
  }

  async texts(branch = 'main'): Promise<string[]> {
    return (await this.path(branch)).map(textOf);
  }

  /** How the last answer came about; one that failed without a word is not stored. */
  async lastMetadata(branch = 'main'): Promise<AnswerMetadata> {
    const failed = this.runs.failed(CHAT, branch);
    const last = failed?.isUnsaved ? failed.message() : (await this.path(branch)).at(-1);
    const metadata = last && answerMetadataOf(last);
    if (metadata === undefined) throw new Error(`The last message of ${branch} is no answer of a run.`);
    return metadata;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runs.stopAll();
    this.runs.dispose();
    await this.store.close();
    await this.server.close();
  }
}

export async function newWorld(options: WorldOptions = {}): Promise<World> {
  const { script = [], serverKey } = options;
  const server = await startOpenAiServer({ script, ...(serverKey === undefined ? {} : { key: serverKey }) });
  return new World(options.store ?? memoryStore(), server, options);
}
