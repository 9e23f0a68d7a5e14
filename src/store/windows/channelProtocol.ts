import { z } from 'zod';
import { sha256 } from '../../engine/bytes.ts';
import type { JournalPoint } from '../durable/journal.ts';
import { storeChange } from '../common/writeResults.ts';
import { wireError } from './wireErrors.ts';

// The messages between processes that share conversations. Both sides first prove that they can read the file with
// the secret, which is next to the database: the secret itself is never sent. Then one side sends requests and the
// other answers.

/** Processes with different versions refuse each other. */
export const PROTOCOL_VERSION = 1;

/** The maximum size of a message before authentication, in bytes. */
export const STRANGER_LIMIT = 4_096;

/** The maximum size after that. Larger messages are refused before they are sent. */
export const FRIEND_LIMIT = 256 * 1024 * 1024;

/** The maximum size of a message from a guest, which only asks questions. */
export const GUEST_LIMIT = 1024 * 1024;

/** How long authentication may take, in milliseconds. */
export const GREETING_MS = 5_000;

const nonce = z.string().min(16).max(100);
const proof = z.string().length(64);

const journalPoint: z.ZodType<JournalPoint> = z.object({ generation: z.int(), size: z.int() });

/** The first message, sent by the connecting side. */
export const hello = z.object({
  kind: z.literal('hello'),
  version: z.literal(PROTOCOL_VERSION),
  /** The version of the schema. */
  schema: z.int(),
  window: z.string().min(1).max(500),
  /** A window writes through the writer. A guest has no window: it reads, and asks the user for writes. */
  role: z.enum(['window', 'guest']).default('window'),
  nonce,
});
export type Role = z.infer<typeof hello>['role'];
export const challenge = z.object({ kind: z.literal('challenge'), nonce, proof });
export const response = z.object({ kind: z.literal('response'), proof });
/** From here on the connecting side may send requests. */
export const welcome = z.object({ kind: z.literal('welcome') });

export const request = z.object({
  kind: z.literal('request'),
  /** Matches the answer to the request. */
  number: z.int(),
  /** Stays the same when the request is repeated. */
  id: z.uuid(),
  name: z.string(),
  given: z.unknown(),
});

/** Messages of guests: they ask the user in the window of the writing process, or cancel a question. */
export const fromGuest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask'), number: z.int(), name: z.string().max(100), given: z.unknown() }),
  z.object({ kind: z.literal('withdraw'), number: z.int() }),
]);

export const fromWriter = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    number: z.int(),
    result: z.unknown(),
    changes: z.array(storeChange),
    point: journalPoint,
  }),
  /** To a guest: the result of its question. */
  z.object({ kind: z.literal('answered'), number: z.int(), result: z.unknown() }),
  z.object({
    kind: z.literal('failed'),
    number: z.int(),
    error: wireError,
    /** What led to it is in the files up to here; absent: not known. */
    point: journalPoint.optional(),
  }),
  /** Something was written for another process. */
  z.object({ kind: z.literal('changed'), changes: z.array(storeChange), point: journalPoint }),
]);

/** @param members as JSON, additional ones of an object that is already JSON */
export function encode(message: object, members: Readonly<Record<string, string>> = {}): Uint8Array {
  const further = Object.entries(members).map(([name, json]) => `,${JSON.stringify(name)}:${json}`);
  return new TextEncoder().encode(`${JSON.stringify(message).slice(0, -1)}${further.join('')}}`);
}

/** @returns undefined for anything that is not JSON of this schema */
export function decode<T>(schema: z.ZodType<T>, message: Uint8Array): T | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(message));
    return schema.safeParse(value).data;
  } catch {
    // Not a message of this protocol: the caller closes the connection.
    return undefined;
  }
}

export function newNonce(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`;
}

/** @param nonces of both sides, so that a proof cannot be replayed */
export function proofOf(
  secret: string,
  side: 'reader' | 'writer',
  nonces: readonly string[],
): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify([secret, side, ...nonces])));
}

/** Takes the same time at any position of the first difference. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index % Math.max(1, other.length));
  }
  return difference === 0;
}
