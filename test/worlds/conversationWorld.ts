import type { OpenChat } from '../../src/conversation/conversationParts.ts';
import { Conversations, type ConversationsOptions } from '../../src/conversation/conversations.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import { MessageQueue } from '../../src/conversation/messageQueue.ts';
import type { BranchData } from '../../src/engine/graph.ts';
import { loadLater } from '../fixtures/loadLater.ts';
import type { Script } from '../fixtures/openaiServer.ts';
import { CHAT, newWorld, USER, type World, type WorldOptions } from './agentWorld.ts';

/** Goes with a question. */
export const picture = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'dot.png',
  url: 'data:image/png;base64,iVBORw==',
} as const;

/** Which chat is open, as the extension keeps it. */
export class RememberedChat implements OpenChat {
  /** What was opened and left, in order. */
  readonly steps: string[] = [];

  constructor(private id: string) {}

  chatId(): Promise<string> {
    return Promise.resolve(this.id);
  }

  open(chatId: string): Promise<void> {
    this.id = chatId;
    this.steps.push(`open ${chatId}`);
    return Promise.resolve();
  }

  leave(chatId: string): Promise<void> {
    if (this.id !== chatId) return Promise.resolve();
    this.id = 'another chat';
    this.steps.push('leave');
    return Promise.resolve();
  }
}

/** The use cases over a real store and real runs, with a scripted model server. */
export class ConversationWorld implements AsyncDisposable {
  readonly current = new RememberedChat(CHAT);
  readonly parts: ConversationsOptions;
  readonly conversations: Conversations;

  /** What failed while nobody waited for it. */
  readonly failures: unknown[] = [];

  private constructor(readonly world: World) {
    const models = {
      current: () => world.model(),
      find: () => Promise.resolve(undefined),
      smallFor: (model: ChatModel) => Promise.resolve(model),
    };
    const { store, runs } = world;
    this.parts = {
      queue: new MessageQueue({
        store,
        userId: USER,
        runs,
        models,
        onError: (error) => this.failures.push(error),
      }),
      store: world.store,
      userId: USER,
      runs: world.runs,
      budget: world.budget,
      models,
      current: this.current,
      loadLater,
      titleFrom: (question) => `About ${question}`,
    };
    this.conversations = new Conversations(this.parts);
  }

  static async make(script: Script = [], options: WorldOptions = {}): Promise<ConversationWorld> {
    return new ConversationWorld(await newWorld({ ...options, script }));
  }

  get store(): World['store'] {
    return this.world.store;
  }

  /** Asks, and waits for the end of the answer. */
  async answered(question: string): Promise<void> {
    const run = await this.conversations.ask(question);
    await run.done;
  }

  async branch(name: string): Promise<BranchData> {
    const branch = await this.store.getBranch(CHAT, name);
    if (!branch) throw new Error(`There is no branch ${name}.`);
    return branch;
  }

  /** The visible branches, the active one marked. */
  async branches(): Promise<string[]> {
    const branches = await this.store.listBranches(CHAT);
    return branches.map(({ name, isActive }) => (isActive ? `${name}*` : name));
  }

  /** The id of a message of the active branch, counted from its root. */
  async idAt(index: number): Promise<string> {
    const message = (await this.conversations.path())[index];
    if (!message) throw new Error(`There is no message ${index}.`);
    return message.id;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}
