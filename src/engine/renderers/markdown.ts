import type { Fragment } from '../fragments/fragment.ts';
import type { ContextRenderer, RendererOptions } from './contextRenderer.ts';
import { isFragmentMember, isList, isMembers, plainFragments, type Plain } from './plain.ts';

/** The system prompt as Markdown: a heading for each fragment, its members as a list. */
export class MarkdownRenderer implements ContextRenderer {
  constructor(private readonly options: RendererOptions = {}) {}

  /** Writes fragments as Markdown. */
  render(fragments: readonly Fragment[]): string {
    return plainFragments(fragments, this.options)
      .map(([name, value]) =>
        [`## ${heading(name)}`, section(value)].filter((text) => text !== '').join('\n'),
      )
      .join('\n\n');
  }
}

function section(value: Plain): string {
  return isMembers(value) || isList(value) ? items(value, '').join('\n') : String(value);
}

function items(value: Plain, indent: string): string[] {
  if (isMembers(value))
    return value.members.flatMap(([name, member]) => item(`**${name}**:`, member, indent));
  if (isList(value)) {
    return value.flatMap((each) => (isFragmentMember(each) ? items(each, indent) : item('', each, indent)));
  }
  return item('', value, indent);
}

function item(label: string, value: Plain, indent: string): string[] {
  const inner = `${indent}  `;
  const isNested = isMembers(value) || isList(value);
  const line = ['-', label, isNested ? '' : continued(String(value), inner)].filter((text) => text !== '');
  return [indent + line.join(' '), ...(isNested ? items(value, inner) : [])];
}

/** A multi-line value stays inside its item. */
function continued(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

/** `styleGuide` → `Style Guide`. */
function heading(name: string): string {
  const words = name.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replaceAll(/[_\s-]+/g, ' ');
  return words
    .trim()
    .replaceAll(/(^|\s)(\p{L})/gu, (_, space: string, letter: string) => space + letter.toUpperCase());
}
