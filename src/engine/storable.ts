import { z } from 'zod';
import { InvalidArgumentError, InvalidNameError, NotStorableError, OffshootError } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { MAX_NAME_LENGTH } from './limits.ts';
import { defineMessage, type MessageDescriptor } from './messageDescriptor.ts';

/** In UTF-16 units. */
const MAX_ID_LENGTH = 1_000;

/**
 * The maximum nesting of data. Every reader recurses per level, and the stack of the smallest host holds some
 * thousands of calls; a reader takes several for one level.
 */
export const MAX_DEPTH = 500;

/** Extra levels that may wrap stored data: the members of a message's effects, for instance. */
const WRAPPING = 10;

const controlCharacter = /\p{Cc}/u;

/**
 * Copies `value` as JSON would hold it. Anything JSON would drop or change silently is rejected. Members that are
 * undefined are left out, as in JSON, and the zero with a sign is zero.
 * @throws NotStorableError with the path to the culprit
 */
export function storable(value: unknown, path: string): JsonValue {
  return copy(value, path, { objects: new Set(), limit: MAX_DEPTH, text: wellFormed });
}

/**
 * The same for data around storable data, and for details of the log: they may be nested a little deeper, and hold any
 * text.
 * @throws NotStorableError with the path to the culprit
 */
export function storableJson(value: unknown, path: string): JsonValue {
  return copy(value, path, { objects: new Set(), limit: MAX_DEPTH + WRAPPING, text: (text) => text });
}

/** The ancestors of a value, and their maximum number. */
interface Above {
  readonly objects: Set<object>;
  readonly limit: number;
  /** Checks a text, including names of members. */
  readonly text: (text: string, path: string) => string;
}

function copy(value: unknown, path: string, above: Above): JsonValue {
  switch (typeof value) {
    case 'string':
      return above.text(value, path);
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value))
        throw new NotStorableError(path, `${String(value)} is not a number of JSON`);
      return value === 0 ? 0 : value;
    case 'object':
      return value === null ? null : copyObject(value, path, above);
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      throw new NotStorableError(path, `a value of type ${typeof value} is not part of JSON`);
  }
}

function copyObject(value: object, path: string, above: Above): JsonValue {
  const { objects, limit } = above;
  if (objects.has(value)) throw new NotStorableError(path, 'it contains itself');
  if (objects.size >= limit) throw tooDeep(path);
  objects.add(value);
  try {
    return copyMembers(value, path, above);
  } catch (error) {
    if (error instanceof OffshootError) throw error;
    // A getter or a trap of a proxy threw, a proxy was revoked, or a date is none.
    throw new NotStorableError(path, 'it cannot be read', { cause: error });
  } finally {
    objects.delete(value);
  }
}

function copyMembers(value: object, path: string, above: Above): JsonValue {
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) => copy(item, `${path}[${index}]`, above));
  }
  if (value instanceof Date) return value.toISOString();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new NotStorableError(path, 'only plain objects and arrays are part of JSON');
  }
  const members = Object.entries(value as Record<string, unknown>).filter(
    ([, member]) => member !== undefined,
  );
  return Object.fromEntries(
    members.map(([name, member]) => [above.text(name, path), copy(member, `${path}.${name}`, above)]),
  );
}

/** Whether an object is a proxy that was revoked: whatever is done with it throws. */
export function isRevoked(value: unknown): boolean {
  try {
    Array.isArray(value);
    return false;
  } catch {
    return true;
  }
}

/**
 * A copy of what a caller gave and may change afterwards. Unlike {@link storable} it takes any value: what it cannot
 * copy stays as it is, to be refused with its path when it is stored.
 */
export function copyGiven<T>(value: T): T {
  return copyAny(value, new Map()) as T;
}

/** @param above the objects that hold the value, and the copy of each */
function copyAny(value: unknown, above: Map<object, object>): unknown {
  // Without its sign, as it is stored.
  if (value === 0) return 0;
  if (typeof value !== 'object' || value === null || above.size > MAX_DEPTH + WRAPPING) return value;
  const known = above.get(value);
  if (known) return known;
  try {
    return copyHeld(value, above);
  } catch {
    // It cannot be read, which is said where it is stored.
    return value;
  } finally {
    above.delete(value);
  }
}

function copyHeld(value: object, above: Map<object, object>): object {
  if (Array.isArray(value)) {
    const items: unknown[] = [...(value as unknown[])];
    above.set(value, items);
    for (const [index, item] of items.entries()) items[index] = copyAny(item, above);
    return items;
  }
  if (value instanceof Date) return new Date(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  // A spread copies all names as own members, `__proto__` included.
  const members: Record<string, unknown> = { ...value };
  above.set(value, members);
  for (const name of Object.keys(members)) members[name] = copyAny(members[name], above);
  return members;
}

/** How much of a path is quoted, in UTF-16 units. */
const MAX_PATH = 60;

export function tooDeep(path: string): NotStorableError {
  const beginning = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path;
  return new NotStorableError(beginning, `it is nested more than ${MAX_DEPTH} levels deep`);
}

/** A zod schema for what JSON can hold: it copies, keeps every name, and rejects data nested too deep. */
function jsonSchema(text: Above['text']) {
  return z.unknown().transform((value, context): JsonValue => {
    try {
      return copy(value, 'the value', { objects: new Set(), limit: MAX_DEPTH + WRAPPING, text });
    } catch (error) {
      if (!(error instanceof NotStorableError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
      return z.NEVER;
    }
  });
}

/** JSON that can be stored. */
export const jsonValue = jsonSchema(wellFormed);

/** JSON with any text, for data that is not stored. */
export const anyJson = jsonSchema((text) => text);

/** The same for an object. zod's own records leave out a member called `__proto__`. */
export const jsonObject = objectOf(jsonValue);

/** An object of JSON with any text. */
export const anyJsonObject = objectOf(anyJson);

function objectOf(json: typeof jsonValue) {
  return (
    json
      .transform((value, context): JsonObject => {
        if (isObject(value)) return value;
        context.addIssue({ code: 'custom', message: 'it is not an object' });
        return z.NEVER;
      })
      // For the JSON Schema, which cannot be derived from a function.
      .meta({ type: 'object', additionalProperties: {} })
  );
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** SQLite holds UTF-8, which has no lone surrogates: they would be read back as other characters. */
function wellFormed(text: string, path: string): string {
  if (!text.isWellFormed()) throw new NotStorableError(path, 'it holds half of a surrogate pair');
  return text;
}

/** @throws InvalidArgumentError, InvalidNameError */
export function checkedId(id: string, what: string): string {
  // Not all callers are type-checked.
  if (typeof (id as unknown) !== 'string')
    throw new InvalidArgumentError(what, defineMessage('it is not a text'));
  if (id === '') throw new InvalidNameError(what, defineMessage('it is empty'));
  if (id.length > MAX_ID_LENGTH)
    throw new InvalidNameError(what, defineMessage('it is longer than {0} characters', MAX_ID_LENGTH));
  if (id.includes('\0')) throw new InvalidNameError(what, defineMessage('it holds a NUL character'));
  if (!id.isWellFormed())
    throw new InvalidNameError(what, defineMessage('it holds half of a surrogate pair'));
  return id;
}

/** The name, trimmed. @throws InvalidArgumentError, InvalidNameError */
export function checkedName(name: string, what: string | MessageDescriptor): string {
  if (typeof (name as unknown) !== 'string')
    throw new InvalidArgumentError(what, defineMessage('it is not a text'));
  const trimmed = name.trim();
  if (trimmed === '') throw new InvalidNameError(what, defineMessage('it is empty'));
  if (trimmed.length > MAX_NAME_LENGTH) {
    throw new InvalidNameError(what, defineMessage('it is longer than {0} characters', MAX_NAME_LENGTH));
  }
  if (controlCharacter.test(trimmed))
    throw new InvalidNameError(what, defineMessage('it holds a control character'));
  if (!trimmed.isWellFormed())
    throw new InvalidNameError(what, defineMessage('it holds half of a surrogate pair'));
  return trimmed;
}
