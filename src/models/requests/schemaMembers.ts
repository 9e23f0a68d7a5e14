/** An untrusted schema, as received. */
export type Members = Readonly<Record<string, unknown>>;

/** Type names from other languages for the same types. */
const types: Readonly<Record<string, string>> = {
  object: 'object',
  dict: 'object',
  map: 'object',
  array: 'array',
  list: 'array',
  string: 'string',
  str: 'string',
  text: 'string',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  number: 'number',
  float: 'number',
  double: 'number',
  boolean: 'boolean',
  bool: 'boolean',
  null: 'null',
};

/** The type a schema names or implies; several if it names several. */
export function typeOf(schema: Members): string | string[] | undefined {
  const { type } = schema;
  if (typeof type === 'string') return known(type);
  if (Array.isArray(type)) {
    const named = [...new Set(textsOf(type).flatMap((each) => known(each) ?? []))];
    return named.length > 1 ? named : named[0];
  }
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : undefined;
}

/** Whether a schema describes an object, by its type or because nothing contradicts it. */
export function isObjectSchema(schema: Members): boolean {
  const type = typeOf(schema);
  if (type === undefined) return !('enum' in schema) && !('const' in schema) && !('items' in schema);
  return Array.isArray(type) ? type.includes('object') : type === 'object';
}

function known(type: string): string | undefined {
  const name = type.toLowerCase();
  return Object.hasOwn(types, name) ? types[name] : undefined;
}

/** Draft 4 marks an exclusive limit with a flag. */
export function exclusive(members: Members): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = members[name] === true ? members[limit] : members[name];
    if (typeof value === 'number') kept[name] = value;
  }
  return kept;
}

/** Resolves a reference within the schema; nothing is fetched. */
export function resolve(root: Members, ref: string): Members | undefined {
  if (!ref.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = unescaped(step);
    const here: unknown = at;
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    at = (here as Members)[name];
  }
  return membersOf(at);
}

function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    // It is not an escape after all.
    return plain;
  }
}

export function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((each) => typeof each === 'string');
}
