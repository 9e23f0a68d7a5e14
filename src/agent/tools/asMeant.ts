export { inputSchema } from './inputSchema.ts';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { INPUT_BOUNDS, textBeyondBounds } from '../../models/messages/jsonBounds.ts';
import {
  listOf,
  membersOf,
  resolve,
  textsOf,
  typeOf,
  type Members,
} from '../../models/requests/schemaMembers.ts';

/** How many references and unions are followed to find what a schema says. */
const MAX_HOPS = 20;

/**
 * An input as the model meant it, where what it wrote has one meaning: a number, a list or an object in a string, one
 * item in place of a list, and null, `""`, 0 or -1 for an optional member that takes none of these. All else stays, for
 * the tool to refuse.
 * @param schema the tool's JSON Schema; it may come from anywhere
 */
export function asMeant(schema: object, given: unknown): unknown {
  const root = membersOf(schema) ?? {};
  return repaired(root, root, given);
}

function repaired(root: Members, schema: unknown, given: unknown): unknown {
  const members = plainSchema(root, schema);
  const value = ofType(typeOf(members), given);
  if (Array.isArray(value)) {
    const { items } = members;
    return items === undefined ? value : value.map((each) => repaired(root, items, each));
  }
  const properties = membersOf(members['properties']);
  const object = membersOf(value);
  if (!properties || !object) return inList(root, members, value);
  const required = new Set(textsOf(members['required']));
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, each]): [string, unknown][] => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own === undefined) return [[name, each]];
      const fixed = repaired(root, own, each);
      return !required.has(name) && isUnset(root, own, fixed) ? [] : [[name, fixed]];
    }),
  );
}

/** What a schema says, without its reference, and without the null that it also takes. */
function plainSchema(root: Members, schema: unknown): Members {
  let members = membersOf(schema) ?? {};
  for (let hops = 0; hops < MAX_HOPS; hops += 1) {
    const { $ref: ref } = members;
    const branches = [...listOf(members['anyOf']), ...listOf(members['oneOf'])].filter(
      (branch) => membersOf(branch)?.['type'] !== 'null',
    );
    const [only, ...others] = branches;
    const next =
      typeof ref === 'string' ? resolve(root, ref) : others.length === 0 ? membersOf(only) : undefined;
    if (next === undefined) break;
    members = next;
  }
  const type = typeOf(members);
  if (!Array.isArray(type)) return members;
  const [only, ...others] = type.filter((each) => each !== 'null');
  return only !== undefined && others.length === 0 ? { ...members, type: only } : members;
}

function takesNull(root: Members, schema: unknown): boolean {
  const given = membersOf(schema) ?? {};
  const { $ref: ref } = given;
  const members = (typeof ref === 'string' ? resolve(root, ref) : given) ?? {};
  const type = typeOf(members);
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (listOf(members['enum']).includes(null)) return true;
  const branches = [...listOf(members['anyOf']), ...listOf(members['oneOf'])];
  if (branches.some((branch) => membersOf(branch)?.['type'] === 'null')) return true;
  // Nothing is said of it, so anything may be meant.
  return typeOf(plainSchema(root, members)) === undefined;
}

/** A value that was written in a string. */
function ofType(type: string | string[] | undefined, given: unknown): unknown {
  if (typeof given !== 'string' || typeof type !== 'string') return given;
  const text = given.trim();
  switch (type) {
    case 'integer':
    case 'number':
      return /^-?\d+(?:\.\d+)?$/u.test(text) ? Number(text) : withoutNull(text, given);
    case 'boolean':
      return /^(?:true|false)$/iu.test(text) ? text.toLowerCase() === 'true' : withoutNull(text, given);
    case 'object':
    case 'array': {
      const value = parsed(text);
      // In place of a list it may be one item.
      const isMeant = membersOf(value) !== undefined || (type === 'array' && Array.isArray(value));
      return isMeant ? value : withoutNull(text, given);
    }
    default:
      return given;
  }
}

function withoutNull(text: string, given: string): string | null {
  return /^(?:null|none|undefined)?$/iu.test(text) ? null : given;
}

function parsed(text: string): unknown {
  if (!/^[[{]/u.test(text) || textBeyondBounds(text, INPUT_BOUNDS) !== undefined) return undefined;
  return tryParseJson(text);
}

/** One item in place of a list of such. */
function inList(root: Members, members: Members, value: unknown): unknown {
  if (typeOf(members) !== 'array' || value === null || value === undefined) return value;
  const item = typeOf(plainSchema(root, members['items']));
  const isItem = item === 'object' ? membersOf(value) !== undefined : typeof value === item;
  return isItem ? [repaired(root, members['items'], value)] : value;
}

/** Whether an optional member holds what models write to leave it out, and the schema takes no such value. */
function isUnset(root: Members, schema: unknown, value: unknown): boolean {
  if (value === null) return !takesNull(root, schema);
  const { minLength, minimum, minItems, enum: values } = plainSchema(root, schema);
  if (value === '') return atLeastOne(minLength) || (Array.isArray(values) && !values.includes(''));
  if (value === 0 || value === -1) return atLeastOne(minimum);
  return Array.isArray(value) && value.length === 0 && atLeastOne(minItems);
}

function atLeastOne(limit: unknown): boolean {
  return typeof limit === 'number' && limit >= 1;
}
