import { z } from 'zod';
import { sha256 } from '../../../engine/sha256.ts';
import type { JournalPoint } from '../journal.ts';
import { storeChange } from './wireResults.ts';
import { wireError } from './wireErrors.ts';

// What processes say to each other that share conversations. Both prove first that they can read the file with the
// secret, which lies beside the database: the secret itself is never sent. Then one asks and the other answers.

/** Processes of other versions do not understand each other. */
export const PROTOCOL_VERSION = 1;

/** How long a message may be before anybody has proved anything, in bytes. */
export const STRANGER_LIMIT = 4_096;

/** How long one may be after that. What is larger is refused before it is sent. */
export const FRIEND_LIMIT = 256 * 1024 * 1024;

/** How long one of a guest may be, who only asks. */
export const GUEST_LIMIT = 1024 * 1024;

/** How long proving may take, in milliseconds. */
export const GREETING_MS = 5_000;

const nonce = z.string().min(16).max(100);
const proof = z.string().length(64);

const journalPoint: z.ZodType<JournalPoint> = z.object({ generation: z.int(), size: z.int() });

/** Begins: by whoever connected. */
export const hello = z.object({
  kind: z.literal('hello'),
  version: z.literal(PROTOCOL_VERSION),
  /** Of the tables. */
  schema: z.int(),
  window: z.string().min(1).max(500),
  /** A window writes through whoever writes. A guest has no window: it reads, and asks the user for what it wants written. */
  role: z.enum(['window', 'guest']).default('window'),
  nonce,
});
export type Role = z.infer<typeof hello>['role'];
/** The answer to it: by whoever writes. */
export const challenge = z.object({ kind: z.literal('challenge'), nonce, proof });
/** The answer to that. */
export const response = z.object({ kind: z.literal('response'), proof });
/** From here on whoever connected may ask. */
export const welcome = z.object({ kind: z.literal('welcome') });

/** Asks for a write. */
export const request = z.object({
  kind: z.literal('request'),
  /** Which answer belongs to it. */
  number: z.int(),
  /** Stays the same when it is asked again. */
  id: z.uuid(),
  name: z.string(),
  given: z.unknown(),
});

/** What guests say: they ask the user, in the window of the process that writes, or want no answer any more. */
export const fromGuest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ask'), number: z.int(), name: z.string().max(100), given: z.unknown() }),
  z.object({ kind: z.literal('withdraw'), number: z.int() }),
]);

/** What the writer says of itself, and what it answers. */
export const fromWriter = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    number: z.int(),
    result: z.unknown(),
    changes: z.array(storeChange),
    point: journalPoint,
  }),
  /** To a guest: what came of what it asked for. */
  z.object({ kind: z.literal('answered'), number: z.int(), result: z.unknown() }),
  z.object({ kind: z.literal('failed'), number: z.int(), error: wireError }),
  /** Something was written for somebody else. */
  z.object({ kind: z.literal('changed'), changes: z.array(storeChange), point: journalPoint }),
]);

/** @param members as JSON, further ones of an object that is JSON already */
export function encode(message: object, members: Readonly<Record<string, string>> = {}): Uint8Array {
  const further = Object.entries(members).map(([name, json]) => `,${JSON.stringify(name)}:${json}`);
  return new TextEncoder().encode(`${JSON.stringify(message).slice(0, -1)}${further.join('')}}`);
}

/** @returns undefined for what is no JSON of this kind */
export function decode<T>(schema: z.ZodType<T>, message: Uint8Array): T | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(message));
    return schema.safeParse(value).data;
  } catch {
    // Not our own words: whoever asks closes the connection.
    return undefined;
  }
}

export function newNonce(): string {
  return `${crypto.randomUUID()}${crypto.randomUUID()}`;
}

/** What only somebody with the secret can say. @param nonces of both sides: it is of no use a second time */
export function proofOf(
  secret: string,
  side: 'reader' | 'writer',
  nonces: readonly string[],
): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify([secret, side, ...nonces])));
}

/** Takes as long wherever the two differ. */
export function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index++) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index % Math.max(1, other.length));
  }
  return difference === 0;
}
