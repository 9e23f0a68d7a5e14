// Makes the engine what keeps the conversations of the AI SDK's useChat: an adapter of four functions.
import { streamText, toUIMessageStream, validateUIMessages } from 'ai';
import { randomUUID } from 'node:crypto';
import { ContextEngine, assistant, role, user } from 'offshoot-engine';

export class ChatStore {
  /**
   * @param {{ store: import('offshoot-engine').ContextStore, model: import('ai').LanguageModel, instructions: string }} options
   */
  constructor({ store, model, instructions }) {
    this.store = store;
    this.model = model;
    this.instructions = instructions;
  }

  /**
   * What the transport of useChat sends, and the stream it gets. A new question goes on from where the page stands, an
   * edited one and a regenerated answer each get a branch; nothing that was said before is lost.
   * @param {{ id: string, messages: unknown, trigger: string, messageId?: string }} request
   * @param {string} userId
   */
  async answer({ id, messages, trigger, messageId }, userId) {
    const shown = await validateUIMessages({ messages });
    const context = this.open(id, userId);
    if (trigger === 'regenerate-message') await this.leaveAnswer(context, messageId);
    else await this.take(context, shown);
    const { systemPrompt, messages: sent } = await context.resolve();
    const { stream } = streamText({ model: this.model, instructions: systemPrompt, messages: sent });
    return toUIMessageStream({
      stream,
      originalMessages: shown,
      generateMessageId: () => randomUUID(),
      onEnd: async ({ responseMessage }) => {
        if (responseMessage.parts.length > 0) await context.set(assistant(responseMessage)).save();
        await context.close();
      },
    });
  }

  /** The messages of the branch one is on, as useChat takes them. */
  async messages(id, userId) {
    const branch = await this.store.getActiveBranch(id, { userId });
    if (!branch?.headMessageId) return [];
    return (await this.store.getPath(id, branch.headMessageId)).map(({ data }) => data);
  }

  /** Every version of the conversation, and which of them one is on. */
  async branches(id, userId) {
    const branches = await this.store.listBranches(id, { userId });
    return branches.map(({ name, messageCount, isActive }) => ({ name, messageCount, isActive }));
  }

  /** Goes to another one. @returns its messages */
  async switchBranch(id, userId, name) {
    const context = this.open(id, userId);
    await context.switchBranch(name);
    await context.close();
    return this.messages(id, userId);
  }

  open(chatId, userId) {
    const context = new ContextEngine({ store: this.store, chatId, userId });
    return context.set(role(this.instructions));
  }

  /** Goes back to the question; what was answered stays on its own branch. Without an id it is the last answer. */
  async leaveAnswer(context, messageId) {
    // Reads where the conversation stands.
    await context.resolve();
    const id = messageId ?? context.headMessageId;
    const message = await this.store.getMessage(context.chatId, id);
    if (message?.name === 'user') await context.rewind(id);
    else await context.rewindBefore(id);
  }

  /** Keeps the last question where the page stands; one with a known id is an edit, which the engine puts on a branch. */
  async take(context, shown) {
    const question = shown.at(-1);
    const before = shown.at(-2);
    const isKnown = (await this.store.getMessage(context.chatId, question.id)) !== undefined;
    // A page that is behind goes on from what it shows, on a branch.
    await context.resolve();
    if (!isKnown && before && before.id !== context.headMessageId) await context.rewind(before.id);
    await context.set(user(question)).save();
  }
}
