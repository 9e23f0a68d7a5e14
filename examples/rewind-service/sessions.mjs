// What a session is: a chat of the engine. A turn is saved whole or not at all, and rewinding goes to another branch.
import { ChatNotFoundError, ContextEngine, HeadConflictError, OffshootError } from 'offshoot-engine';
import { assistant, role, user } from 'offshoot-engine';
import { randomUUID } from 'node:crypto';

export class Sessions {
  /** @param {{ store: import('offshoot-engine').ContextStore, app: string, agent: import('./agent.mjs').Agent }} options */
  constructor({ store, app, agent }) {
    this.store = store;
    this.app = app;
    this.agent = agent;
  }

  /** The initial state is saved before the first turn, so that rewinding before that one leads back to it. */
  create(userId, { sessionId = randomUUID(), state = {} }) {
    return this.withEngine(userId, sessionId, async (context) => {
      // What cannot be stored is refused before there is a session.
      setAll(context, state);
      const metadata = { app: this.app, session: sessionId };
      await this.store.createChat({ id: context.chatId, userId, metadata });
      await context.save().catch(async (error) => {
        await this.store.deleteChat(context.chatId, { userId });
        throw error;
      });
      return this.describe(context);
    });
  }

  async list(userId, { limit, offset }) {
    const metadata = { app: this.app };
    const chats = await this.store.listChats({ userId, metadata, limit, offset, details: false });
    return chats.map(summary);
  }

  /** Puts it into the trash of the store. */
  async delete(userId, sessionId) {
    const wasThere = await this.store.deleteChat(this.chatId(userId, sessionId), { userId });
    if (!wasThere) throw new ChatNotFoundError(sessionId);
  }

  /** Of two turns at once on one branch, the one that ends last is refused; an answer stays with its branch. */
  async run(context, { message, invocationId = randomUUID(), stateDelta = {} }) {
    // Who asks once more, because an answer was lost, does not get a second turn.
    if (await this.store.findInvocation(context.chatId, invocationId))
      throw new OffshootError('invocation-exists', `Invocation "${invocationId}" already exists.`);
    setAll(context.set(role('You are helpful.'), user(message)), stateDelta);
    const { systemPrompt, messages } = await context.resolve();
    const head = context.headMessageId;
    const state = Object.fromEntries(await context.state.entries());
    const answer = await this.agent({ systemPrompt, messages, state }).catch((cause) => {
      const failed = 'The agent failed, and nothing of this turn was saved. Try again.';
      throw new OffshootError('agent-failed', failed, { cause });
    });
    setAll(context, answer.state ?? {});
    for (const { name, mediaType, bytes } of answer.files ?? [])
      await context.artifacts.save(name, bytes, { mediaType });
    // State and artifacts follow the branch: what came since was not answered to.
    if (context.headMessageId !== head)
      throw new HeadConflictError(context.branch, head ?? null, context.headMessageId ?? null);
    const { branch, artifacts } = await context.set(assistant(answer.text)).save({ invocationId });
    return { invocationId, branch, text: answer.text, artifacts };
  }

  /** The turns that are left stay on their branch, and in the log. */
  async rewind(context, { rewindBeforeInvocationId: invocationId }) {
    await context.rewindBefore({ invocationId });
    return this.describe(context);
  }

  /** Works on a session that is there; the engine alone would make one. */
  async use(userId, sessionId, work) {
    const chat = await this.store.getChat(this.chatId(userId, sessionId), { userId });
    if (!chat) throw new ChatNotFoundError(sessionId);
    return this.withEngine(userId, sessionId, work);
  }

  async withEngine(userId, sessionId, work) {
    const chatId = this.chatId(userId, sessionId);
    const context = new ContextEngine({ store: this.store, chatId, userId, branchNames: 'flat' });
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  }

  /** Ids of chats are unique in a store, those of sessions for their user. */
  chatId(...names) {
    return [this.app, ...names].map(encodeURIComponent).join('/');
  }

  /** With the messages of the branch it is on, each with the id of its turn. */
  async describe(context) {
    const state = Object.fromEntries(await context.state.entries());
    const head = context.headMessageId;
    const path = head === undefined ? [] : await this.store.getPath(context.chatId, head);
    const messages = path
      .filter(({ type }) => type === 'message')
      .map(({ id, invocationId, data: { role, parts } }) => ({ id, invocationId, role, parts }));
    // What the engine holds of the chat is from before the rewind.
    const chat = await this.store.getChat(context.chatId);
    return { ...summary(chat), branch: context.branch, state, messages };
  }
}

function setAll(context, values) {
  for (const [key, value] of Object.entries(values)) context.state.set(key, value);
}

function summary({ metadata, userId, createdAt, updatedAt }) {
  return { id: metadata.session, appName: metadata.app, userId, createdAt, updatedAt };
}
