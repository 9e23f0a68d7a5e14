import { readFrontMatter } from '../prompts/frontMatter.ts';
import type { PromptProblem } from '../prompts/promptText.ts';

/** The limits of the specification (https://agentskills.io/specification), in characters. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_COMPATIBILITY = 500;

/** How much of a hint for its user is kept, in UTF-16 units. */
const MAX_HINT = 200;

/** The fields of the specification and of VS Code that have an effect. */
export const SKILL_FIELDS = [
  'name',
  'description',
  'compatibility',
  'argument-hint',
  'user-invocable',
  'disable-model-invocation',
] as const;

/** Those that are known and have none: only the user can allow tools, and a skill is always read where it is used. */
export const IGNORED_SKILL_FIELDS = ['license', 'metadata', 'allowed-tools', 'context'] as const;

const KNOWN: ReadonlySet<string> = new Set([...SKILL_FIELDS, ...IGNORED_SKILL_FIELDS]);

export interface SkillFile {
  /** As written; undefined when it is no text. */
  readonly name: string | undefined;
  /** One line. */
  readonly description: string;
  readonly compatibility: string | undefined;
  readonly argumentHint: string | undefined;
  /** Whether the model is told of it. */
  readonly isForModel: boolean;
  /** Whether it is listed after a slash. */
  readonly isForUser: boolean;
  /** The fields that do not follow the specification; they are used as far as they can be. */
  readonly invalid: readonly string[];
  /** The fields that have no meaning here. */
  readonly unknown: readonly string[];
  readonly body: string;
}

export type ReadSkillFile =
  { readonly ok: true; readonly skill: SkillFile } | { readonly ok: false; readonly problem: PromptProblem };

/** @param folder the name of the folder it is in, which the specification wants to be that of the skill */
export function readSkillFile(source: string, folder: string): ReadSkillFile {
  const { fields, problem, body } = readFrontMatter(source);
  if (problem !== undefined) return { ok: false, problem: { kind: 'front-matter', text: problem } };
  const invalid = new Set<string>();
  const text = (key: (typeof SKILL_FIELDS)[number], most: number): string | undefined => {
    const value = fields.get(key);
    if (value === undefined) return undefined;
    const line = typeof value === 'string' ? value.replaceAll(/\s+/gu, ' ').trim() : '';
    const characters = Array.from(line);
    if (characters.length > most || line === '') invalid.add(key);
    return line === '' ? undefined : characters.slice(0, most).join('').toWellFormed();
  };
  const flag = (key: (typeof SKILL_FIELDS)[number], otherwise: boolean): boolean => {
    const value = text(key, MAX_HINT)?.toLowerCase();
    if (value !== undefined && value !== 'true' && value !== 'false') invalid.add(key);
    return value === 'true' || (value === 'false' ? false : otherwise);
  };
  const description = text('description', MAX_DESCRIPTION);
  if (description === undefined) return { ok: false, problem: { kind: 'no-description' } };
  const name = text('name', MAX_NAME);
  if (name === undefined || !isValidName(name, folder)) invalid.add('name');
  const skill = {
    name,
    description,
    compatibility: text('compatibility', MAX_COMPATIBILITY),
    argumentHint: text('argument-hint', MAX_HINT),
    isForModel: !flag('disable-model-invocation', false),
    isForUser: flag('user-invocable', true),
    unknown: [...fields.keys()].filter((key) => !KNOWN.has(key)),
    body: body.trim(),
  };
  return { ok: true, skill: { ...skill, invalid: [...invalid] } };
}

/** Letters and digits of any script in lower case, with single hyphens between; the name of its folder. */
function isValidName(name: string, folder: string): boolean {
  const plain = name.normalize('NFKC');
  return (
    /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(plain) &&
    plain === plain.toLowerCase() &&
    plain === folder.normalize('NFKC')
  );
}
