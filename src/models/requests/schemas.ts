import { formatInEnglish, defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import {
  exclusive,
  isObjectSchema,
  listOf,
  membersOf,
  resolve,
  textsOf,
  typeOf,
  type Members,
} from './schemaMembers.ts';
import type { SchemaLimits } from '../providerFacts.ts';

/** A converted schema, or a message for the user about why there is none. */
export type FittedSchema = { readonly schema: object } | { readonly problem: MessageDescriptor };

/** How many schemas there may be after inlining references. */
const MAX_SCHEMAS = 3_000;

/** The property names the strictest provider accepts. */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/u;

/** Members that describe a value, and those that bound it; both are copied unchanged. */
const DESCRIBING = { title: 'string', description: 'string' } as const;
const BOUNDING = {
  format: 'string',
  pattern: 'string',
  minimum: 'number',
  maximum: 'number',
  multipleOf: 'number',
  minLength: 'number',
  maxLength: 'number',
  minItems: 'number',
  maxItems: 'number',
} as const;

class UnfitSchema extends Error {
  constructor(readonly problem: MessageDescriptor) {
    super(formatInEnglish(problem));
  }
}

/**
 * For every provider: an object at the top without a union, arrays with items, inlined references, keywords of the
 * newest draft. What is lost makes the schema accept more, never less; the tool's provider checks its input.
 */
export function fitSchema(schema: unknown, limits: SchemaLimits = {}): FittedSchema {
  try {
    return { schema: new Writer(limits, schema).top() };
  } catch (error) {
    if (error instanceof UnfitSchema) return { problem: error.problem };
    throw error;
  }
}

class Writer {
  private count = 0;
  private readonly root: Members;

  constructor(
    private readonly limits: SchemaLimits,
    root: unknown,
  ) {
    this.root = membersOf(root) ?? {};
  }

  top(): object {
    const branches = this.objects(this.root, new Set());
    if (branches.length === 0) throw new UnfitSchema(defineMessage('Its input isn’t an object.'));
    const [first] = branches;
    return branches.length === 1 && first !== undefined
      ? this.object(first.members, first.refs, true)
      : this.merged(branches);
  }

  /** References may repeat the same schema so often that inlining never ends. */
  private countOne(): void {
    this.count += 1;
    if (this.count > MAX_SCHEMAS) throw new UnfitSchema(defineMessage('Its input schema is too large.'));
  }

  /** The objects that a top-level schema may be; other types are dropped. */
  private objects(schema: Members, refs: ReadonlySet<string>): Found[] {
    this.countOne();
    const target = this.target(schema, refs);
    if (target === undefined) return [];
    const { members } = target;
    const all = listOf(members['allOf']);
    const whole: Found =
      all.length === 0 ? target : { members: this.allOf(members, all, target.refs), refs: target.refs };
    const union = [...listOf(whole.members['anyOf']), ...listOf(whole.members['oneOf'])];
    const { anyOf: _any, oneOf: _one, ...base } = whole.members;
    if (!isObjectSchema(base)) return union.flatMap((branch) => this.branch(base, branch, whole.refs));
    const inUnion = union.flatMap((branch) => this.branch(base, branch, whole.refs));
    return inUnion.length > 0 ? inUnion : [{ members: base, refs: whole.refs }];
  }

  private branch(base: Members, branch: unknown, refs: ReadonlySet<string>): Found[] {
    const members = membersOf(branch);
    if (members === undefined) return [];
    return this.objects(members, refs).map((found) => ({
      refs: found.refs,
      members: {
        ...base,
        ...found.members,
        properties: { ...membersOf(base['properties']), ...membersOf(found.members['properties']) },
        required: [...textsOf(base['required']), ...textsOf(found.members['required'])],
        ...(typeof base['description'] === 'string' ? { description: base['description'] } : {}),
      },
    }));
  }

  /** One object that accepts what any of several accept. */
  private merged(branches: readonly Found[]): object {
    const written = branches.map(({ members, refs }) => this.object(members, refs, true));
    const properties: Record<string, object> = {};
    for (const { properties: own = {} } of written) {
      for (const [name, property] of Object.entries(own)) {
        const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
        properties[name] =
          known === undefined || JSON.stringify(known) === JSON.stringify(property)
            ? property
            : { anyOf: [...(hasOnlyAnyOf(known) ? known.anyOf : [known]), property] };
      }
    }
    const [first, ...others] = written.map(({ required = [] }) => required);
    const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
    const { description } = written.find((each) => each.description !== undefined) ?? {};
    return {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      properties,
      ...(required.length === 0 ? {} : { required }),
    };
  }

  private object(schema: Members, refs: ReadonlySet<string>, isTop = false): WrittenObject {
    const properties: Record<string, object> = {};
    const required = new Set(textsOf(schema['required']));
    for (const [name, value] of Object.entries(membersOf(schema['properties']) ?? {})) {
      if (value === false) continue;
      const members = membersOf(value) ?? {};
      // Draft 3: each property marks itself as required.
      if (members['required'] === true) required.add(name);
      if (!this.isProperty(name)) {
        if (!required.has(name)) continue;
        throw new UnfitSchema(
          defineMessage(
            'It needs an input named “{0}”, which models don’t take.',
            name.slice(0, 64).toWellFormed(),
          ),
        );
      }
      properties[name] = this.schema(members, refs);
    }
    const needed = [...required].filter((name) => Object.hasOwn(properties, name));
    const { description } = schema;
    return {
      type: 'object',
      ...(typeof description === 'string' ? { description } : {}),
      ...(isTop || Object.keys(properties).length > 0 ? { properties } : {}),
      ...(needed.length === 0 ? {} : { required: needed }),
      ...this.additional(schema, refs),
    };
  }

  /** Some servers confuse such a name with a member that every object has. */
  private isProperty(name: string): boolean {
    return PROPERTY.test(name) && name !== '__proto__';
  }

  private additional(
    schema: Members,
    refs: ReadonlySet<string>,
  ): { additionalProperties?: boolean | object } {
    const additional = schema['additionalProperties'];
    if (typeof additional === 'boolean') return { additionalProperties: additional };
    const members = membersOf(additional);
    return members === undefined ? {} : { additionalProperties: this.schema(members, refs) };
  }

  private schema(schema: Members, refs: ReadonlySet<string>): object {
    this.countOne();
    const target = this.target(schema, refs);
    if (target === undefined) return described(schema, this.anything());
    const all = listOf(target.members['allOf']);
    const members = all.length === 0 ? target.members : this.allOf(target.members, all, target.refs);
    const union = [...listOf(members['anyOf']), ...listOf(members['oneOf'])].flatMap((each): Members[] => {
      const branch = each === true ? {} : membersOf(each);
      return branch === undefined ? [] : [branch];
    });
    const type = typeOf(members);
    if (union.length > 0) {
      const { anyOf: _any, oneOf: _one, allOf: _all, ...base }: Members = members;
      const anyOf = union.map((branch) => this.schema({ ...alike(base), ...branch }, target.refs));
      const [only] = anyOf;
      return described(members, anyOf.length === 1 && only !== undefined ? only : { anyOf });
    }
    if (Array.isArray(type)) {
      const anyOf = type.map((each) => this.schema({ ...members, type: each }, target.refs));
      return described(members, { anyOf: anyOf.map(withoutDescription) });
    }
    switch (type) {
      case 'object':
        return this.object(members, target.refs);
      case 'array':
        return { type, ...this.plain(members), items: this.items(members, target.refs) };
      case undefined:
        return Object.keys(this.values(members, type)).length > 0
          ? { ...this.plain(members), ...this.values(members, type) }
          : described(members, this.anything());
      default:
        return { type, ...this.plain(members), ...this.values(members, type) };
    }
  }

  private items(members: Members, refs: ReadonlySet<string>): object {
    const { items } = members;
    // Older drafts: one schema per position. Any position may then hold any of them.
    const places = Array.isArray(items) ? listOf(items) : listOf(members['prefixItems']);
    const schemas = places.flatMap((each) => {
      const place = membersOf(each);
      return place === undefined ? [] : [this.schema(place, refs)];
    });
    const [only] = schemas;
    if (schemas.length > 1) return { anyOf: schemas };
    if (only !== undefined) return only;
    const single = membersOf(items);
    return single === undefined ? this.anything() : this.schema(single, refs);
  }

  private anything(): object {
    return this.limits.isTyped === true ? { type: 'string' } : {};
  }

  private plain(members: Members): Record<string, unknown> {
    const isBounded = this.limits.takesNoBounds !== true;
    const copied = { ...DESCRIBING, ...(isBounded ? BOUNDING : {}) };
    const kept = Object.entries(copied).flatMap(([name, type]) => {
      const value = members[name];
      return typeof value === type && this.isKnown(name, value) ? [[name, value] as const] : [];
    });
    return {
      ...Object.fromEntries(kept),
      ...(isBounded ? exclusive(members) : {}),
      ...this.default(members),
    };
  }

  private default({ default: value }: Members): { default?: unknown } {
    const isSimple = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isSimple && this.limits.isTyped !== true ? { default: value } : {};
  }

  private isKnown(name: string, value: unknown): boolean {
    if (name === 'format') return this.limits.formats?.has(String(value)) ?? true;
    // A limit that every integer satisfies means nothing, and costs tokens with each request.
    return typeof value !== 'number' || Math.abs(value) !== Number.MAX_SAFE_INTEGER;
  }

  private values(members: Members, type: string | undefined): { enum?: unknown[]; type?: string } {
    const all = Array.isArray(members['enum'])
      ? (members['enum'] as unknown[])
      : 'const' in members
        ? [members['const']]
        : [];
    const simple = all.filter((value) => value === null || typeof value !== 'object');
    if (this.limits.isTyped === true) {
      // It accepts only strings, and no empty one.
      const texts = simple.filter((value) => typeof value === 'string' && value !== '');
      const isWhole = texts.length === simple.length && texts.length > 0;
      return isWhole && (type ?? 'string') === 'string' ? { type: 'string', enum: texts } : {};
    }
    return simple.length === 0 || simple.length < all.length ? {} : { enum: [...new Set(simple)] };
  }

  /** The target of a schema's reference; undefined when it is missing, or when it would never end. */
  private target(schema: Members, refs: ReadonlySet<string>): Found | undefined {
    const ref = schema['$ref'];
    if (typeof ref !== 'string') return { members: schema, refs };
    if (refs.has(ref)) return undefined;
    const found = resolve(this.root, ref);
    if (found === undefined) return undefined;
    const { $ref: _ref, ...own } = schema;
    return this.target({ ...found, ...own }, new Set([...refs, ref]));
  }

  /** Merges several schemas into one, as far as possible. */
  private allOf(members: Members, all: readonly unknown[], refs: ReadonlySet<string>): Members {
    const { allOf: _all, ...base } = members;
    let whole: Members = base;
    for (const each of all) {
      const found = this.target(membersOf(each) ?? {}, refs);
      if (found === undefined) continue;
      const nested = listOf(found.members['allOf']);
      const part = nested.length === 0 ? found.members : this.allOf(found.members, nested, found.refs);
      this.countOne();
      const properties = { ...membersOf(part['properties']), ...membersOf(whole['properties']) };
      const required = [...textsOf(part['required']), ...textsOf(whole['required'])];
      whole = {
        ...part,
        ...whole,
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
        ...(required.length === 0 ? {} : { required }),
      };
    }
    return whole;
  }
}

/** A schema, and the references that led to it. */
interface Found {
  readonly members: Members;
  readonly refs: ReadonlySet<string>;
}

interface WrittenObject {
  readonly type: 'object';
  readonly description?: string;
  readonly properties?: Record<string, object>;
  readonly required?: readonly string[];
}

/** The members of a union that apply to each of its branches. */
function alike({ description: _description, title: _title, ...rest }: Members): Members {
  return rest;
}

function described(from: Members, schema: object): object {
  const { description } = from;
  return typeof description === 'string' ? { description, ...schema } : schema;
}

function withoutDescription(schema: object): object {
  const { description: _description, ...rest } = schema as { description?: unknown };
  return rest;
}

function hasOnlyAnyOf(schema: object): schema is { readonly anyOf: readonly object[] } {
  return 'anyOf' in schema && Array.isArray(schema.anyOf) && Object.keys(schema).length === 1;
}
