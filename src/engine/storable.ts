import { z } from 'zod';
import { InvalidArgumentError, InvalidNameError, NotStorableError } from './errors.ts';
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

const controlCharacter = /\p{Cc}/u;

/**
 * Copies `value` as JSON holds it, without undefined members; what JSON would drop or change silently is rejected.
 * @throws NotStorableError with the path to the culprit
 */
export function storable(value: unknown, path: string): JsonValue {
  return copy(value, path, { objects: new Set(), limit: MAX_DEPTH, text: wellFormed });
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
      return value;
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
  } finally {
    objects.delete(value);
  }
}

/** How much of a path is quoted, in UTF-16 units. */
const MAX_PATH = 60;

export function tooDeep(path: string): NotStorableError {
  const beginning = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path;
  return new NotStorableError(beginning, `it is nested more than ${MAX_DEPTH} levels deep`);
}

/** Extra levels that may wrap stored data: the members of a message's effects, for instance. */
const WRAPPING = 10;

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
export const jsonObject = jsonValue
  .transform((value, context): JsonObject => {
    if (isObject(value)) return value;
    context.addIssue({ code: 'custom', message: 'it is not an object' });
    return z.NEVER;
  })
  // For the JSON Schema, which cannot be derived from a function.
  .meta({ type: 'object', additionalProperties: {} });

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
