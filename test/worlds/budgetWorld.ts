import { wrapLanguageModel } from 'ai';
import { Budget } from '../../src/agent/budget/budget.ts';
import { SpendingJournal, type SpendingJournalOptions } from '../../src/agent/budget/spendingJournal.ts';
import type { SpentFor } from '../../src/agent/budget/spends.ts';
import { StoredSpending } from '../../src/agent/budget/storedSpending.ts';
import type { Scheduler } from '../../src/base/scheduler.ts';
import type { ContextStore } from '../../src/engine/store.ts';
import type { ChatModel, OpenedModel } from '../../src/models/chatModel.ts';
import type { Script } from '../fixtures/openaiServer.ts';
import { memoryStore } from '../fixtures/stores.ts';
import { MemoryLog, USER, type WorldOptions } from './agentWorld.ts';
import { ConversationWorld } from './conversationWorld.ts';

/** Does not wait. */
export const instantly: Scheduler = {
  now: () => Date.now(),
  after(_delay, callback) {
    const timer = setTimeout(callback, 0);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** The folder that the windows of a workspace share. */
export class MemoryFolder {
  readonly files = new Map<string, string>();
  isFull = false;

  get access(): SpendingJournalOptions['files'] {
    const { files } = this;
    const done = Promise.resolve();
    return {
      ensureFolder: () => done,
      join: (folder, name) => `${folder}/${name}`,
      createExclusively: (path, text) => {
        if (this.isFull) return Promise.reject(new Error('disk full'));
        if (!files.has(path)) files.set(path, text);
        return Promise.resolve(true);
      },
      list: (folder) =>
        Promise.resolve(
          [...files].map(([path, text]) => ({
            name: path.slice(folder.length + 1),
            size: Buffer.byteLength(text),
            age: 0,
          })),
        ),
      read: (path, { start = 0 } = {}) =>
        Promise.resolve(new Uint8Array(Buffer.from(files.get(path) ?? '')).slice(start)),
      remove: (path) => {
        files.delete(path);
        return done;
      },
      openLog: (path) =>
        Promise.resolve({
          size: 0,
          append: (bytes: Uint8Array) => {
            files.set(path, (files.get(path) ?? '') + new TextDecoder().decode(bytes));
            return done;
          },
          truncate: () => done,
          close: () => done,
        }),
    };
  }
}

/** The budget of one window. */
export function budgetOf(
  setting: unknown,
  {
    store = memoryStore(),
    folder = new MemoryFolder(),
    scheduler = instantly,
    log = new MemoryLog(),
  }: {
    readonly store?: ContextStore;
    readonly folder?: MemoryFolder;
    readonly scheduler?: Scheduler;
    readonly log?: MemoryLog;
  } = {},
): Budget {
  return new Budget({
    setting: () => setting,
    journal: new SpendingJournal({
      files: folder.access,
      folder: 'spending',
      now: () => scheduler.now(),
      log,
    }),
    stored: new StoredSpending(store, USER),
    scheduler,
  });
}

/** What the models of these worlds cost, in dollars per million tokens. */
export const PRICE = { input: 2, output: 10 };

/** Use cases over a scripted server whose model has a price and a limit, under a budget. */
export async function budgetWorld(
  setting: unknown,
  script: Script,
  {
    maxOutputTokens = 3_000,
    contextWindow,
    price = PRICE,
    folder,
    onRequest,
    ...options
  }: Omit<WorldOptions, 'budget' | 'script'> &
    Partial<Pick<ChatModel, 'contextWindow' | 'maxOutputTokens'>> & {
      readonly price?: ChatModel['price'] | null;
      readonly folder?: MemoryFolder;
      /** Headers for a request, by what it is made for. */
      readonly onRequest?: (spentFor: SpentFor) => Record<string, string>;
    } = {},
): Promise<ConversationWorld> {
  const store = options.store ?? memoryStore();
  const real = budgetOf(setting, { store, ...(folder ? { folder } : {}) });
  const budget = onRequest ? withHeaders(real, onRequest) : real;
  const world = await ConversationWorld.make(script, {
    scheduler: instantly,
    ...options,
    store,
    budget: () => Promise.resolve(budget),
  });
  const plain = world.world.model.bind(world.world);
  world.world.model = async () => ({
    ...(await plain()),
    maxOutputTokens,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(price === null ? {} : { price }),
  });
  return world;
}

function withHeaders(budget: Budget, headersOf: (spentFor: SpentFor) => Record<string, string>): Budget {
  const spendingFor = budget.for.bind(budget);
  budget.for = (spentFor) => ({
    begin: (...given) => {
      const request = spendingFor(spentFor).begin(...given);
      return {
        guard: (model) => request.guard(withHeader(model, headersOf(spentFor))),
        end: (outcome) => request.end(outcome),
      };
    },
  });
  return budget;
}

function withHeader(model: OpenedModel, headers: Record<string, string>): OpenedModel {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: ({ params }) =>
        Promise.resolve({ ...params, headers: { ...params.headers, ...headers } }),
    },
  });
}
