import type { ContextStore } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { namedBlobs } from '../importExport/conversationsFile.ts';

/** Where a chat goes, and whose it is there. */
export interface CopyTarget {
  readonly store: Pick<ContextStore, 'importChats' | 'blobs' | 'getSkeleton'>;
  readonly userId: string;
}

/** The chat changed, or did not arrive whole, so that it stays where it was. */
export class NotMovedError extends OffshootError {
  constructor() {
    super(
      'not-moved',
      defineMessage(
        'The chat was copied, but changed meanwhile, so it also stays where it was. Move it again, or delete one of the two.',
      ),
    );
  }
}

/**
 * Copies a chat to another store: all its branches, checkpoints and log, and the bytes it names. It is there whole or not
 * at all: the bytes come first, and nothing names them before the chat is imported by one transaction.
 * @returns its id in the other store
 * @throws ChatNotFoundError
 */
export async function copyChat(
  from: Pick<ReadonlyStore, 'exportChat' | 'blobs'>,
  chatId: string,
  { store: to, userId }: CopyTarget,
): Promise<string> {
  const chat = await from.exportChat(chatId);
  for (const hash of namedBlobs([chat])) {
    // Also where they are there already: only who has put them may name them.
    const bytes = await from.blobs.get(hash);
    // What is missing here already cannot be brought along; the chat says so where it was.
    if (bytes) await to.blobs.put(bytes);
  }
  const [id] = await to.importChats(userId, [chat]);
  if (id === undefined) throw new NotMovedError();
  return id;
}

/** How a chat leaves the store it was in. */
export interface MoveSource {
  readonly store: Pick<ReadonlyStore, 'exportChat' | 'blobs' | 'getSkeleton'>;
  /** Puts it into the trash. */
  readonly remove: (chatId: string) => Promise<unknown>;
}

/**
 * Copies a chat to another store, and puts it into the trash of the one it was in, once all of it has arrived.
 * @returns its id in the other store
 * @throws ChatNotFoundError, NotMovedError
 */
export async function moveChat(from: MoveSource, chatId: string, target: CopyTarget): Promise<string> {
  const id = await copyChat(from.store, chatId, target);
  const before = await from.store.getSkeleton(chatId);
  const after = await target.store.getSkeleton(id);
  if (before.length !== after.length) throw new NotMovedError();
  await from.remove(chatId);
  return id;
}
