import { z } from 'zod';
import {
  artifactVersion,
  messageEffects,
  type ArtifactVersion,
  type MessageEffects,
} from '../../engine/effects.ts';
import { DamagedDataError } from '../../engine/errors.ts';
import type { BranchData, ChatData, CheckpointData, MessageData } from '../../engine/graph.ts';
import type { JsonObject, JsonValue } from '../../engine/json.ts';
import type { NewMessage } from '../../engine/store.ts';
import { isJsonObject } from '../common/chatChanges.ts';
import { messageJson, visibleText } from '../common/messageContent.ts';
import { indexedWords } from './words.ts';

// The data exchanged with the server. JSON that users or models wrote is sent as text within JSON, since it may
// contain NUL, which PostgreSQL's own JSON cannot.

export interface MessageRow {
  readonly key: number;
  readonly id: string;
  readonly parent_id: string | null;
  readonly depth: number;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly effects: string | null;
  readonly artifacts: string | null;
  readonly invocation_id: string;
  readonly replaces: string | null;
  readonly created_at: number;
}

export function messageOf(row: MessageRow, chatId: string, parentId = row.parent_id): MessageData {
  return {
    id: row.id,
    chatId,
    parentId,
    depth: row.depth,
    name: row.name,
    type: messageType(row.type),
    data: parsed(row.data),
    effects: effectsOf(row.effects, row.artifacts),
    invocationId: row.invocation_id,
    replaces: row.replaces ?? undefined,
    createdAt: row.created_at,
  };
}

/** @param first the parent of the first one */
export function pathOf(rows: readonly MessageRow[], chatId: string, first: string | null): MessageData[] {
  let parentId = first;
  return rows.map((row) => {
    const message = messageOf(row, chatId, parentId);
    parentId = message.id;
    return message;
  });
}

function messageType(type: string): MessageData['type'] {
  if (type === 'message' || type === 'fragment' || type === 'internal') return type;
  throw new DamagedDataError(`"${type}" is no type of message`);
}

export function effectsOf(effects: string | null, artifacts: string | null): MessageData['effects'] {
  if (effects === null && artifacts === null) return undefined;
  const others = effects === null ? {} : parsed(effects);
  const whole = isJsonObject(others) ? others : {};
  const read = messageEffects.safeParse(
    artifacts === null ? whole : { ...whole, artifacts: parsed(artifacts) },
  );
  if (!read.success)
    throw new DamagedDataError('the effects of a message cannot be read', { cause: read.error });
  return read.data as MessageEffects;
}

export interface SentContent {
  readonly id: string;
  readonly name: string;
  readonly type: MessageData['type'];
  readonly data: string;
  readonly effects: string | null;
  readonly artifacts: readonly ArtifactVersion[] | null;
  readonly replaces: string | null;
  /** For the index, in the format of a `tsvector`. */
  readonly words: string | null;
  readonly wordCount: number;
  /** The blobs it names. */
  readonly hashes: readonly string[];
}

export interface SentTurn {
  readonly messages: readonly (SentContent & {
    readonly invocationId: string | null;
    /** How many visible messages there are up to it, and the last of these, both within the turn. */
    readonly count: number;
    readonly lastRead: number | null;
  })[];
  readonly readable: number;
  readonly hasArtifacts: boolean;
  readonly hasBlobs: boolean;
}

export function contentOf(
  message: Pick<NewMessage, 'id' | 'name' | 'type' | 'data' | 'replaces' | 'effects'>,
): SentContent {
  const { artifacts, ...others } = message.effects ?? {};
  const hasOthers = Object.keys(others).length > 0;
  const [data] = messageJson({ id: message.id, data: message.data, effects: message.effects });
  const effects = hasOthers ? JSON.stringify(others) : null;
  const { words, count } = indexedWords(visibleText(message));
  const named = `${data} ${effects ?? ''} ${artifacts ? JSON.stringify(artifacts) : ''}`;
  return {
    id: message.id,
    name: message.name,
    type: message.type,
    data,
    effects,
    artifacts: artifacts ?? null,
    replaces: message.replaces ?? null,
    words,
    wordCount: count,
    hashes: hashesIn(named),
  };
}

export function hashesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\b[0-9a-f]{64}\b/g)].map(([name]) => name))];
}

/** Consecutive messages, each with the counts the server would have to compute. */
export function turnOf(messages: readonly NewMessage[]): SentTurn {
  let count = 0;
  let lastRead: number | null = null;
  let turn: string | undefined;
  const sent = messages.map((message, index) => {
    if (message.type === 'message') {
      count += 1;
      lastRead = index;
    }
    turn = message.invocationId ?? turn;
    return { ...contentOf(message), invocationId: turn ?? null, count, lastRead };
  });
  return {
    messages: sent,
    readable: count,
    hasArtifacts: sent.some(({ artifacts }) => artifacts !== null),
    hasBlobs: sent.some(({ hashes }) => hashes.length > 0),
  };
}

/** A chat as returned by the server; its metadata are text. */
export type ChatRow = Omit<ChatData, 'title' | 'metadata'> & {
  readonly title: string | null;
  readonly metadata: string;
};

export function chatOf(row: ChatRow): ChatData {
  const metadata = parsed(row.metadata);
  if (!isJsonObject(metadata)) throw new DamagedDataError('the metadata of a chat are no object');
  return {
    id: row.id,
    userId: row.userId,
    title: row.title ?? undefined,
    metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export type BranchRow = Omit<BranchData, 'parentBranch' | 'archivedAt'> & {
  readonly parentBranch: string | null;
  readonly archivedAt: number | null;
};

export function branchOf(row: BranchRow): BranchData {
  return { ...row, parentBranch: row.parentBranch ?? undefined, archivedAt: row.archivedAt ?? undefined };
}

export type CheckpointRow = CheckpointData;

export function parsed(text: string): JsonValue {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new DamagedDataError('what should be JSON is none', { cause });
  }
}

export function parsedObject(text: string): JsonObject {
  const value = parsed(text);
  if (!isJsonObject(value)) throw new DamagedDataError('what should be an object is none');
  return value;
}

export function artifactsOf(list: unknown): ArtifactVersion[] {
  const read = z.array(artifactVersion).safeParse(list);
  if (!read.success) throw new DamagedDataError('artifacts cannot be read', { cause: read.error });
  return read.data;
}
