import { readFrontMatter } from '../prompts/frontMatter.ts';
import type { InstructionsReader, ReadInstructionsFile } from './projectInstructions.ts';

/** Limits for a file's patterns: their number, the length of each, and its wildcards, because matching takes time. */
const MAX_PATTERNS = 30;
const MAX_PATTERN = 300;
const MAX_MARKS = 12;

/** Reads the front matter of instructions files, as VS Code documents it. */
export const instructionsReader: InstructionsReader = { read: readInstructionsText };

function readInstructionsText(text: string): ReadInstructionsFile {
  const { fields, problem, body } = readFrontMatter(text);
  if (problem !== undefined) return { ok: false, problem };
  const applyTo = fields.get('applyTo') ?? '';
  const given: unknown[] = Array.isArray(applyTo) ? applyTo : [applyTo];
  const patterns = given.flatMap((each) => (typeof each === 'string' ? splitPatterns(each) : []));
  const isTooMuch =
    patterns.length > MAX_PATTERNS ||
    patterns.some((each) => each.length > MAX_PATTERN || (each.match(/[*?[{]+/gu) ?? []).length > MAX_MARKS);
  if (given.some((each) => typeof each !== 'string') || isTooMuch) {
    return { ok: false, problem: '“applyTo” has to be a text of a few globs' };
  }
  const description = fields.get('description');
  return {
    ok: true,
    isForAll: patterns.some((each) => ['*', '**', '**/*'].includes(each)),
    applyTo: patterns,
    description:
      typeof description === 'string' && description.trim() !== ''
        ? description.replaceAll(/\s+/gu, ' ').trim()
        : undefined,
    body: body.trim(),
  };
}

/** Splits globs at commas, except inside braces. */
export function splitPatterns(text: string): string[] {
  const patterns: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const mark = text[at];
    if (mark === '{') depth += 1;
    else if (mark === '}') depth = Math.max(0, depth - 1);
    else if (mark === undefined || (mark === ',' && depth === 0)) {
      patterns.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return patterns.filter((each) => each !== '');
}

/** A glob below a workspace folder: without a leading slash it matches at any depth, as in VS Code. */
export function patternBelow(pattern: string): string {
  const plain = pattern.replace(/^\.\//u, '');
  if (plain.startsWith('/')) return plain.slice(1);
  return plain.startsWith('**/') ? plain : `**/${plain}`;
}
