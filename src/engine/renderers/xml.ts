import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer } from './contextRenderer.ts';
import { isList, isMembers, plainFragments, type Plain } from './plain.ts';

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
  render(fragments: readonly Fragment[]): string {
    return plainFragments(fragments)
      .map(([name, value]) => element(name, value, ''))
      .join('\n');
  }
}

function element(name: string, value: Plain, indent: string): string {
  const tag = tagName(name);
  if (isMembers(value)) {
    const children = value.members.map(([member, child]) => element(member, child, indent + INDENT));
    return wrapped(tag, children, indent);
  }
  if (isList(value)) {
    const item = singular(tag);
    return wrapped(
      tag,
      value.map((each) => element(item, each, indent + INDENT)),
      indent,
    );
  }
  const text = escaped(String(value));
  if (!text.includes('\n')) return `${indent}<${tag}>${text}</${tag}>`;
  const lines = text.split('\n').map((line) => (line === '' ? '' : indent + INDENT + line));
  return wrapped(tag, lines, indent);
}

function wrapped(tag: string, lines: readonly string[], indent: string): string {
  if (lines.length === 0) return `${indent}<${tag}></${tag}>`;
  return `${indent}<${tag}>\n${lines.join('\n')}\n${indent}</${tag}>`;
}

function escaped(text: string): string {
  return text
    .replace(forbidden, '\u{FFFD}')
    .replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** A name that XML accepts: other characters become `_`, and a first one that may not stand there gets one before it. */
function tagName(name: string): string {
  const valid = name.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_').replaceAll(/[^\x20-\x7E]/gu, '_');
  return /^[A-Za-z_]/.test(valid) && !/^xml/i.test(valid) ? valid : `_${valid}`;
}

/** `policies` → `policy`, `steps` → `step`; what is no plural gets `item`. */
function singular(tag: string): string {
  if (/[^aeiou]ies$/i.test(tag)) return `${tag.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/i.test(tag)) return tag.slice(0, -2);
  if (/[^s]s$/i.test(tag)) return tag.slice(0, -1);
  return 'item';
}
