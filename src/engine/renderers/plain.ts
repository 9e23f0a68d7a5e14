import { isFragment, type Fragment } from '../fragments/fragment.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { settled, type SettledData } from '../fragments/settled.ts';
import type { RendererOptions } from './contextRenderer.ts';

/**
 * Fragment data as renderers see it: settled, without nulls, nested fragments turned into members of their name, half
 * surrogates replaced (no format can hold them). What remains is text, lists and members, in the order given.
 */
export type Plain = string | number | boolean | readonly Plain[] | PlainMembers;

export interface PlainMembers {
  /** A name may come twice. */
  readonly members: readonly Entry[];
  /** Represents a fragment in a list: its member is an item of its own. */
  readonly isFragment?: true;
}

export type Entry = readonly [name: string, value: Plain];

export function isMembers(value: Plain): value is PlainMembers {
  return typeof value === 'object' && 'members' in value;
}

export function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

/** Empty ones are left out. */
export function plainFragments(fragments: readonly Fragment[], options: RendererOptions = {}): Entry[] {
  const entries = fragments.flatMap((fragment) => {
    const { name, data } = settled(fragment);
    return entry(name, data, options);
  });
  return options.groupFragments === true ? grouped(entries) : entries;
}

function grouped(entries: readonly Entry[]): Entry[] {
  const groups = new Map<string, Entry[]>();
  for (const each of entries) {
    const group = groups.get(each[0]);
    if (group) group.push(each);
    else groups.set(each[0], [each]);
  }
  return Array.from(groups, ([name, members]): Entry => [plural(name), { members }]);
}

/** For formats where a name may appear only once: values of one name become a list, in the place of the first. */
export function gathered(entries: readonly Entry[]): Entry[] {
  const byName = new Map<string, Plain[]>();
  for (const [name, value] of entries) {
    const values = byName.get(name);
    if (values) values.push(value);
    else byName.set(name, [value]);
  }
  return Array.from(byName, ([name, values]): Entry => {
    const [only] = values;
    return [name, only !== undefined && values.length === 1 ? only : values];
  });
}

export function membersJson(entries: readonly Entry[]): JsonObject {
  return Object.fromEntries(gathered(entries).map(([name, value]) => [name, plainJson(value)]));
}

function plainJson(value: Plain): JsonValue {
  if (isMembers(value)) return membersJson(value.members);
  return isList(value) ? value.map(plainJson) : value;
}

function entry(name: string, data: SettledData | undefined, options: RendererOptions): Entry[] {
  const value = plain(data, options);
  return value === undefined ? [] : [[name.toWellFormed(), value]];
}

function plain(data: SettledData | undefined, options: RendererOptions): Plain | undefined {
  if (data === null || data === undefined) return undefined;
  if (typeof data === 'string') return data.toWellFormed();
  if (typeof data !== 'object') return data;
  if (Array.isArray(data)) return plainList(data as readonly SettledData[], options);
  if (isFragment(data)) return { members: entry(data.name, data.data, options), isFragment: true };
  return {
    members: Object.entries(data).flatMap(([name, value]: [string, SettledData]) =>
      entry(name, value, options),
    ),
  };
}

/** A list that holds only fragments becomes their members; any other list stays a list in order. */
function plainList(items: readonly SettledData[], options: RendererOptions): Plain {
  const values = items.map((item) => plain(item, options)).filter((value) => value !== undefined);
  if (values.length > 0 && values.every(isFragmentMember)) {
    const members = values.flatMap(({ members: each }) => each);
    return { members: options.groupFragments === true ? grouped(members) : members };
  }
  if (options.groupFragments !== true) return values;
  // Each group takes the place of its first member.
  const groups = new Map(grouped(values.filter(isFragmentMember).flatMap(({ members }) => members)));
  return values.flatMap((value): Plain[] => {
    if (!isFragmentMember(value)) return [value];
    const name = plural(value.members[0]?.[0] ?? '');
    const group = groups.get(name);
    return groups.delete(name) && group !== undefined ? [{ members: [[name, group]], isFragment: true }] : [];
  });
}

/** True for a fragment among other items of a list: it has its own name and needs no other. */
export function isFragmentMember(value: Plain): value is PlainMembers {
  return isMembers(value) && value.isFragment === true;
}

/** `policies` → `policy`, `steps` → `step`; a name that is no plural, or equals its plural, gets `item`. */
export function singular(tag: string): string {
  if (/(?:ss|us|is|series|species)$/i.test(tag)) return 'item';
  if (/[^aeiou]ies$/i.test(tag)) return `${tag.slice(0, -3)}y`;
  if (/(?:ss|x|sh|[^a]ch|tus|lias)es$/i.test(tag)) return tag.slice(0, -2);
  return /[^s]s$/i.test(tag) ? tag.slice(0, -1) : 'item';
}

/** `policy` → `policies`, `box` → `boxes`; a plural stays unchanged. */
function plural(name: string): string {
  if (singular(name) !== 'item') return name;
  if (/[^aeiou]y$/i.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(name) ? `${name}es` : `${name}s`;
}
