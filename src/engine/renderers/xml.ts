import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer, RendererOptions } from './contextRenderer.ts';
import {
  isFragmentMember,
  isList,
  isMembers,
  plainFragments,
  singular,
  type Plain,
  type PlainMembers,
} from './plain.ts';

const INDENT = '  ';

/** Characters that XML 1.0 cannot hold, not even escaped (section 2.2 of its recommendation). */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** The system prompt as XML elements, one for each fragment, two spaces a level. */
export class XmlRenderer implements ContextRenderer {
  constructor(private readonly options: RendererOptions = {}) {}

  /** Writes fragments as XML elements. */
  render(fragments: readonly Fragment[]): string {
    return plainFragments(fragments, this.options)
      .map(([name, value]) => element(name, value, ''))
      .join('\n');
  }
}

function element(name: string, value: Plain, indent: string): string {
  const tag = tagName(name);
  const open = isReadable(name, tag) ? tag : `${tag} name="${attribute(name)}"`;
  const inner = indent + INDENT;
  if (isMembers(value)) return wrapped(open, tag, elements(value, inner), indent);
  if (isList(value)) {
    const item = singular(tag);
    const items = value.flatMap((each) =>
      isFragmentMember(each) ? elements(each, inner) : element(item, each, inner),
    );
    return wrapped(open, tag, items, indent);
  }
  const text = escaped(String(value));
  if (!text.includes('\n')) return `${indent}<${open}>${text}</${tag}>`;
  const lines = text.split('\n').map((line) => (line === '' ? '' : inner + line));
  return wrapped(open, tag, lines, indent);
}

function elements({ members }: PlainMembers, indent: string): string[] {
  return members.map(([name, value]) => element(name, value, indent));
}

function wrapped(open: string, tag: string, lines: readonly string[], indent: string): string {
  if (lines.length === 0) return `${indent}<${open}></${tag}>`;
  return `${indent}<${open}>\n${lines.join('\n')}\n${indent}</${tag}>`;
}

function escaped(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(forbidden, '\u{FFFD}')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Parsers read any white space in attributes as spaces, so it is written that way. */
function attribute(text: string): string {
  return escaped(text).replaceAll(/[\t\n]/g, ' ');
}

/**
 * A name that every XML parser accepts: non-ASCII and invalid characters become `_`, an invalid first character gets
 * `_` before it. `xml` at the beginning is reserved.
 */
function tagName(name: string): string {
  const valid = name.replaceAll(/[^\w.-]/gu, '_');
  return /^[A-Za-z_]/.test(valid) && !/^xml/i.test(valid) ? valid : `_${valid}`;
}

/** Whether the name can be derived from its tag; if not, an attribute holds it. */
function isReadable(name: string, tag: string): boolean {
  return tag.replace(/^_/, '') === name.replaceAll(/[ \t\n\r]/g, '_').replace(/^_/, '');
}
