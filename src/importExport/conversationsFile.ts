import { z } from 'zod';
import { ImportError } from '../engine/errors.ts';
import { portableChat, type PortableChat } from '../engine/portableChat.ts';
import type { BlobStore } from '../engine/store.ts';
import { fromBase64, toBase64 } from '../engine/bytes.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import { textOf, type ValueFormat } from './importBatch.ts';
import { ImportReport } from './importReport.ts';
import type { ProgramFormat } from './programFormat.ts';

/**
 * A chat in the terms that the platform plans for its own history: turns, each with its previous one, and the current
 * turn. It repeats what messages and branches contain, for programs that use those terms; it is never read.
 */
const turnGraph = z.object({
  /** The last turn of the active branch. */
  headTurnId: z.string().nullable().optional(),
  turns: z.array(z.object({ id: z.string(), parentTurnId: z.string().nullable() })).optional(),
});

/** A turn is a question with all its answers. */
function turnGraphOf({
  messages,
  branches,
}: Pick<PortableChat, 'messages' | 'branches'>): z.infer<typeof turnGraph> {
  const turnOf = new Map<string | null, string>();
  const parents = new Map<string, string | null>();
  for (const { id, parentId, invocationId } of messages) {
    turnOf.set(id, invocationId);
    // A message comes after its parent: the first one of a turn determines what the turn follows.
    if (!parents.has(invocationId)) parents.set(invocationId, turnOf.get(parentId) ?? null);
  }
  const head = branches.find(({ isActive }) => isActive)?.headMessageId ?? null;
  return {
    headTurnId: turnOf.get(head) ?? null,
    turns: [...parents].map(([id, parentTurnId]) => ({ id, parentTurnId })),
  };
}

const FORMAT = 'offshoot-conversations';

/** The content of an exported conversations file. Its JSON Schema is generated from this (scripts/schema.mjs). */
export const conversationsFile = z.object({
  $schema: z.string().optional(),
  format: z.literal(FORMAT),
  version: z.literal(1),
  /** Milliseconds since 1970, like all its times. */
  exportedAt: z.int().nonnegative(),
  chats: z.array(z.intersection(portableChat, turnGraph)),
  /** The bytes of artifacts and pictures in base64, by their SHA-256 in hex. */
  blobs: z.record(z.string().regex(/^[0-9a-f]{64}$/), z.base64()),
});

/** The source of exported chats, for example a store. */
export interface ExportSource {
  readonly blobs: Pick<BlobStore, 'get'>;
  /** A whole chat. */
  exportChat(chatId: string): Promise<PortableChat>;
}

/** The contents of a conversations file: these chats in full, with the bytes of their artifacts. */
export async function writeConversations(
  store: ExportSource,
  chatIds: readonly string[],
  exportedAt: number,
): Promise<string> {
  const chats: PortableChat[] = [];
  for (const chatId of chatIds) chats.push(await store.exportChat(chatId));
  const blobs: Record<string, string> = {};
  for (const hash of namedBlobs(chats)) {
    const bytes = await store.blobs.get(hash);
    // Missing bytes are also missing in the export; everything else is worth keeping.
    if (bytes) blobs[hash] = toBase64(bytes);
  }
  const file: z.input<typeof conversationsFile> = {
    format: FORMAT,
    version: 1,
    exportedAt,
    blobs,
    chats: chats.map((chat) => ({ ...chat, ...turnGraphOf(chat) })),
  };
  return `${JSON.stringify(file, undefined, 1)}\n`;
}

export const conversationsFormat: ValueFormat = {
  detect: isConversations,
  read: async (file) => {
    const { chats, blobs } = readConversations(parsed(await textOf(file)));
    return chats.map((chat, index) => {
      const report = new ImportReport();
      // What was left out of the file is reported once. The store keeps no changes of files: they would be undone in an
      // unrelated workspace.
      if (index === 0) {
        const what = defineMessage('Recorded file changes, which belong to another workspace');
        report.add(what, fileChanges(chats));
      }
      const named = [...namedBlobs([chat])].flatMap((hash) => entryOf(blobs, hash));
      return { source: { program: 'offshoot', ids: [chat.id] }, chat, blobs: new Map(named), report };
    });
  },
};

export const offshoot: ProgramFormat = { program: 'offshoot', value: conversationsFormat };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable';
    throw new ImportError(defineMessage('it is not JSON ({0})', reason), { cause });
  }
}

function fileChanges(chats: readonly PortableChat[]): number {
  return chats
    .flatMap(({ messages }) => messages)
    .reduce((sum, { effects }) => sum + (effects?.files?.length ?? 0), 0);
}

function entryOf(blobs: ReadonlyMap<string, Uint8Array>, hash: string): [string, Uint8Array][] {
  const bytes = blobs.get(hash);
  return bytes ? [[hash, bytes]] : [];
}

/** @throws ImportError with the location of the first error */
function readConversations(value: unknown): { chats: PortableChat[]; blobs: Map<string, Uint8Array> } {
  const read = conversationsFile.safeParse(value);
  if (!read.success) throw ImportError.of(read.error, 'the file');
  const blobs = Object.entries(read.data.blobs).map(([hash, text]) => [hash, fromBase64(text)] as const);
  const chats = read.data.chats.map(({ headTurnId: _head, turns: _turns, ...chat }) => chat);
  return { chats, blobs: new Map(blobs) };
}

function isConversations(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
}

/** @throws ImportError for bytes that do not match their hash */
export async function keepBlobs(blobs: BlobStore, brought: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [hash, bytes] of brought) {
    if ((await blobs.put(bytes)) !== hash)
      throw new ImportError(defineMessage('the file.blobs.{0}: the bytes are others', hash));
  }
}

const picture = /"offshoot-blob:([0-9a-f]{64})"/g;

export function namedBlobs(chats: readonly PortableChat[]): Set<string> {
  const versions = chats.flatMap(({ messages }) =>
    messages.flatMap(({ effects }) => effects?.artifacts ?? []),
  );
  // Pictures of questions are referenced by their messages.
  const pictures = chats.flatMap(({ messages }) =>
    messages.flatMap(({ data }) =>
      [...JSON.stringify(data ?? null).matchAll(picture)].map(([, hash]) => hash),
    ),
  );
  return new Set([...versions.map(({ hash }) => hash), ...pictures.flatMap((hash) => hash ?? [])]);
}

export function conversationsJsonSchema(): object {
  const schema = z.toJSONSchema(conversationsFile, { io: 'input' });
  return { ...schema, title: 'Conversations exported from Offshoot' };
}
