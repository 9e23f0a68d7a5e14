import { InvalidNameError, NotStorableError } from './errors.ts';
import type { JsonValue } from './json.ts';
import { phrase, type Phrase } from './phrase.ts';

/** The longest id, in UTF-16 units. */
const MAX_ID_LENGTH = 1_000;

/** The longest name of a branch or a checkpoint (design: "1 to 200 characters, no control characters"). */
export const MAX_NAME_LENGTH = 200;

const controlCharacter = /\p{Cc}/u;

/**
 * Copies `value` as JSON holds it. What JSON would drop or change silently is refused instead.
 * Members that are undefined are left out, as in JSON.
 * @throws NotStorableError with the path to the culprit
 */
export function storable(value: unknown, path: string): JsonValue {
  return copy(value, path, new Set());
}

function copy(value: unknown, path: string, above: Set<object>): JsonValue {
  switch (typeof value) {
    case 'string':
      return wellFormed(value, path);
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

function copyObject(value: object, path: string, above: Set<object>): JsonValue {
  if (above.has(value)) throw new NotStorableError(path, 'it contains itself');
  above.add(value);
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
      members.map(([name, member]) => [wellFormed(name, path), copy(member, `${path}.${name}`, above)]),
    );
  } finally {
    above.delete(value);
  }
}

/** SQLite holds UTF-8, which has no lone surrogates: they would come back as other characters. */
function wellFormed(text: string, path: string): string {
  if (!text.isWellFormed()) throw new NotStorableError(path, 'it holds half of a surrogate pair');
  return text;
}

/**
 * Checks the id of a chat, a user, a message or an invocation.
 * @throws InvalidNameError
 */
export function checkedId(id: string, what: string): string {
  if (id === '') throw new InvalidNameError(what, phrase('it is empty'));
  if (id.length > MAX_ID_LENGTH)
    throw new InvalidNameError(what, phrase('it is longer than {0} characters', MAX_ID_LENGTH));
  if (id.includes('\0')) throw new InvalidNameError(what, phrase('it holds a NUL character'));
  if (!id.isWellFormed()) throw new InvalidNameError(what, phrase('it holds half of a surrogate pair'));
  return id;
}

/**
 * Trims and checks the name of a branch or a checkpoint.
 * @throws InvalidNameError
 */
export function checkedName(name: string, what: string | Phrase): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new InvalidNameError(what, phrase('it is empty'));
  if (trimmed.length > MAX_NAME_LENGTH) {
    throw new InvalidNameError(what, phrase('it is longer than {0} characters', MAX_NAME_LENGTH));
  }
  if (controlCharacter.test(trimmed))
    throw new InvalidNameError(what, phrase('it holds a control character'));
  if (!trimmed.isWellFormed()) throw new InvalidNameError(what, phrase('it holds half of a surrogate pair'));
  return trimmed;
}
