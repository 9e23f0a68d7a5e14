import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer } from './contextRenderer.ts';
import { isList, isMembers, plainFragments, type Plain } from './plain.ts';

/** The system prompt as Markdown: a heading for each fragment, its members as a list. */
export class MarkdownRenderer implements ContextRenderer {
  render(fragments: readonly Fragment[]): string {
    return plainFragments(fragments)
      .map(([name, value]) => `## ${heading(name)}\n${section(value)}`.trimEnd())
      .join('\n\n');
  }
}

function section(value: Plain): string {
  return isMembers(value) || isList(value) ? items(value, '').join('\n') : String(value);
}

/** The lines of a list; what is nested stands two spaces further in. */
function items(value: Plain, indent: string): string[] {
  if (isMembers(value)) return value.members.flatMap(([name, member]) => item(`**${name}**`, member, indent));
  if (isList(value)) return value.flatMap((each) => item(undefined, each, indent));
  return [`${indent}- ${continued(String(value), `${indent}  `)}`];
}

function item(label: string | undefined, value: Plain, indent: string): string[] {
  const inner = `${indent}  `;
  if (isMembers(value) || isList(value)) {
    const nested = items(value, inner);
    if (nested.length === 0) return [`${indent}- ${label === undefined ? '' : `${label}:`}`.trimEnd()];
    return [`${indent}- ${label === undefined ? '' : `${label}:`}`.trimEnd(), ...nested];
  }
  const text = continued(String(value), inner);
  return [label === undefined ? `${indent}- ${text}` : `${indent}- ${label}: ${text}`];
}

/** A value of several lines stays inside its item. */
function continued(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

/** `styleGuide` → `Style Guide`. */
function heading(name: string): string {
  const words = name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replaceAll(/[_-]+/g, ' ');
  return words.replaceAll(
    /(^|\s)(\p{L})/gu,
    (_, space: string, letter: string) => space + letter.toUpperCase(),
  );
}
