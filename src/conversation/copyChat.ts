import type { ContextStore } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { JsonValue } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { namedBlobs } from '../importExport/conversationsFile.ts';

/** Where a chat goes, and whose it is there. */
export interface CopyTarget {
  readonly store: Pick<ContextStore, 'importChats' | 'blobs' | 'getSkeleton'>;
  readonly userId: string;
}

/** What came of taking a chat to another store. */
export interface CopiedChat {
  /** Its id there. */
  readonly chatId: string;
  /** The files and artifacts whose bytes were missing where it was, so that they are missing there as well. */
  readonly missing: readonly MissingFile[];
}

/** A file whose bytes are lost. */
export interface MissingFile {
  readonly hash: string;
  /** Undefined for one that has none, such as a picture in an answer. */
  readonly name: string | undefined;
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
 * at all: the bytes come first, and nothing names them before the chat is imported by one transaction. What is missing
 * here already is told, and the rest is brought.
 * @throws ChatNotFoundError
 */
export async function copyChat(
  from: Pick<ReadonlyStore, 'exportChat' | 'blobs'>,
  chatId: string,
  { store: to, userId }: CopyTarget,
): Promise<CopiedChat> {
  const chat = await from.exportChat(chatId);
  const missing: MissingFile[] = [];
  for (const hash of namedBlobs([chat])) {
    // Also where they are there already: only who has put them may name them.
    const bytes = await from.blobs.get(hash);
    if (bytes) await to.blobs.put(bytes);
    else missing.push({ hash, name: nameOf(hash, chat) });
  }
  const [id] = await to.importChats(userId, [chat]);
  if (id === undefined) throw new NotMovedError();
  return { chatId: id, missing };
}

/** What a chat calls some bytes: an artifact or a file that was attached. */
function nameOf(hash: string, { messages }: PortableChat): string | undefined {
  for (const { effects, data } of messages) {
    const artifact = effects?.artifacts?.find((each) => each.hash === hash);
    const name = artifact?.name ?? fileNameIn(data, `offshoot-blob:${hash}`);
    if (name !== undefined) return name;
  }
  return undefined;
}

function fileNameIn(value: JsonValue | undefined, url: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('url' in value && value['url'] === url && typeof value['filename'] === 'string')
    return value['filename'];
  for (const member of Object.values(value)) {
    const name = fileNameIn(member, url);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** How a chat leaves the store it was in. */
export interface MoveSource {
  readonly store: Pick<ReadonlyStore, 'exportChat' | 'blobs' | 'getSkeleton'>;
  /** Puts it into the trash. */
  readonly remove: (chatId: string) => Promise<unknown>;
}

/**
 * Copies a chat to another store, and puts it into the trash of the one it was in, once all of it has arrived.
 * @throws ChatNotFoundError, NotMovedError
 */
export async function moveChat(from: MoveSource, chatId: string, target: CopyTarget): Promise<CopiedChat> {
  const copied = await copyChat(from.store, chatId, target);
  const before = await from.store.getSkeleton(chatId);
  const after = await target.store.getSkeleton(copied.chatId);
  if (before.length !== after.length) throw new NotMovedError();
  await from.remove(chatId);
  return copied;
}
