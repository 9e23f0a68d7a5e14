import { ContextEngine } from '../engine/contextEngine.ts';
import type { ConversationParts } from './conversationParts.ts';

/** Runs work with an engine on the active branch of a chat, and closes the engine. */
export async function withEngine<T>(
  { store, userId }: Pick<ConversationParts, 'store' | 'userId'>,
  chatId: string,
  work: (engine: ContextEngine) => Promise<T>,
): Promise<T> {
  const engine = new ContextEngine({ store, chatId, userId, branchNames: 'flat' });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
