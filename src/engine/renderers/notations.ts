import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer, RendererOptions } from './contextRenderer.ts';
import {
  gathered,
  isList,
  isMembers,
  plainFragments,
  membersJson,
  type Plain,
  type PlainMembers,
} from './plain.ts';
import { encode } from '@toon-format/toon';

/** The system prompt as TOML 1.0. A repeated name is an array; plain values precede tables, which would claim them. */
export class TomlRenderer implements ContextRenderer {
  constructor(private readonly options: RendererOptions = {}) {}

  /** Writes fragments as a TOML document. */
  render(fragments: readonly Fragment[]): string {
    const entries = gathered(plainFragments(fragments, this.options));
    const values = entries.filter(([, value]) => !isTable(value) && !isTables(value));
    const blocks = [
      values.map(([name, value]) => `${key(name)} = ${inline(value)}`).join('\n'),
      ...entries.flatMap(([name, value]) => {
        if (isTable(value)) return [table(`[${key(name)}]`, value)];
        return isTables(value) ? value.map((each) => table(`[[${key(name)}]]`, each)) : [];
      }),
    ];
    return blocks.filter((block) => block !== '').join('\n\n');
  }
}

function table(head: string, value: PlainMembers): string {
  const lines = gathered(value.members).map(([name, member]) => `${key(name)} = ${inline(member)}`);
  return [head, ...lines].join('\n');
}

function inline(value: Plain): string {
  if (isMembers(value)) {
    const members = gathered(value.members).map(([name, member]) => `${key(name)} = ${inline(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  if (isList(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'boolean') return String(value);
  return number(value);
}

/** TOML integers have 64 bits; beyond the exact range of JavaScript, a number is written as a float. */
function number(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  if (Number.isSafeInteger(value)) return String(value);
  const text = String(value);
  if (!text.includes('e')) return text.includes('.') ? text : `${text}.0`;
  return text;
}

function quoted(text: string): string {
  const escaped = text.replaceAll(/["\\\p{Cc}]/gu, (character) => {
    switch (character) {
      case '"':
        return '\\"';
      case '\\':
        return '\\\\';
      case '\n':
        return '\\n';
      case '\t':
        return '\\t';
      case '\r':
        return '\\r';
      default:
        return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
    }
  });
  return `"${escaped}"`;
}

function key(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : quoted(name);
}

function isTable(value: Plain): value is PlainMembers {
  return isMembers(value);
}

function isTables(value: Plain): value is readonly PlainMembers[] {
  return isList(value) && value.length > 0 && value.every(isMembers);
}

/** The system prompt in TOON, a notation that takes fewer tokens than JSON. A repeated name becomes a list. */
export class ToonRenderer implements ContextRenderer {
  constructor(private readonly options: RendererOptions = {}) {}

  /** Writes fragments as TOON. */
  render(fragments: readonly Fragment[]): string {
    const entries = plainFragments(fragments, this.options);
    return entries.length === 0 ? '' : encode(membersJson(entries));
  }
}
