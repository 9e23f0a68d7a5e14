import type { ContextStore } from '../engine/store.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import { OffshootError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { JsonValue } from '../engine/json.ts';
import type { PortableChat } from '../engine/portableChat.ts';
import { namedBlobs } from '../importExport/conversationsFile.ts';

export type CopySource = Pick<ReadonlyStore, 'exportChat' | 'blobs'>;

export interface CopyTarget {
  readonly store: Pick<ContextStore, 'importChats' | 'blobs' | 'getSkeleton'>;
  readonly userId: string;
}

export interface CopiedChat {
  readonly chatId: string;
  /** The files and artifacts whose bytes were missing in the source, and therefore in the target. */
  readonly missing: readonly MissingFile[];
}

export interface MissingFile {
  readonly hash: string;
  /** Undefined for a file without a name, such as a picture in an answer. */
  readonly name: string | undefined;
}

/** The chat changed, or did not arrive completely, so it was not removed. */
export class NotMovedError extends OffshootError {
  constructor() {
    super(
      'not-moved',
      defineMessage(
        'The chat was copied, but changed during the copy, so it also stays where it was. Move it again, or delete one of the two.',
      ),
    );
  }
}

/**
 * Copies a chat to another store: all its branches, checkpoints and log, and the bytes it names. It arrives
 * completely or not at all: the bytes are stored first, and nothing names them before one transaction imports the
 * chat. Bytes missing in the source are reported, and everything else is copied.
 * @throws ChatNotFoundError
 */
export async function copyChat(
  from: CopySource,
  chatId: string,
  { store: to, userId }: CopyTarget,
): Promise<CopiedChat> {
  const chat = await from.exportChat(chatId);
  const missing: MissingFile[] = [];
  for (const hash of namedBlobs([chat])) {
    // Even if they exist there: only a user who has put bytes may name them.
    const bytes = await from.blobs.get(hash);
    if (bytes) await to.blobs.put(bytes);
    else missing.push({ hash, name: nameOf(hash, chat) });
  }
  const [id] = await to.importChats(userId, [chat]);
  if (id === undefined) throw new NotMovedError();
  return { chatId: id, missing };
}

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

export interface MoveSource {
  readonly store: Pick<ReadonlyStore, 'exportChat' | 'blobs' | 'getSkeleton'>;
  /** Puts it into the trash. */
  readonly remove: (chatId: string) => Promise<unknown>;
}

/** The original goes to the trash once all of it has arrived. @throws ChatNotFoundError, NotMovedError */
export async function moveChat(from: MoveSource, chatId: string, target: CopyTarget): Promise<CopiedChat> {
  const copied = await copyChat(from.store, chatId, target);
  const before = await from.store.getSkeleton(chatId);
  const after = await target.store.getSkeleton(copied.chatId);
  if (before.length !== after.length) throw new NotMovedError();
  await from.remove(chatId);
  return copied;
}

type SharedWith = 'private' | 'read' | 'write';

interface SharingStore {
  shareChat(chatId: string, access: SharedWith): Promise<void>;
}

/**
 * Users who are in the chat stay in it until they next read it.
 * @throws OffshootError `not-allowed` for a chat of another user
 */
export async function shareChat(store: SharingStore, chatId: string, access: SharedWith): Promise<void> {
  await store.shareChat(chatId, access);
}
