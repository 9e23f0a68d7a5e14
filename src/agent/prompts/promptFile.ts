import { z } from 'zod';
import { readFrontMatter } from './frontMatter.ts';
import type { AgentTool } from '../tools/tool.ts';

const line = z.string().trim().min(1).max(1_000);
/** A list, or one text with commas: both forms are common. */
const list = z.union([
  z.array(line).max(100),
  line.transform((text) =>
    text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ),
]);

/** The front matter of a prompt file, as documented by VS Code; `mode` is the former name of `agent`. */
const known = {
  name: line,
  description: line,
  'argument-hint': line,
  agent: line,
  mode: line,
  model: list,
  tools: list,
} as const;

/** The fields that have an effect. */
export const PROMPT_FIELDS: readonly string[] = Object.keys(known);

export interface PromptFile {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly argumentHint: string | undefined;
  /** As written: it may not exist. */
  readonly mode: string | undefined;
  /** In the order of preference. */
  readonly models: readonly string[];
  /** Undefined: the mode's tools. */
  readonly tools: readonly string[] | undefined;
  /** Keys that have no meaning here. */
  readonly unknown: readonly string[];
  readonly body: string;
}

export type ReadPrompt =
  | { readonly ok: true; readonly prompt: PromptFile }
  /** A problem in the front matter: it may restrict what is allowed, so the prompt is not run without it. */
  | { readonly ok: false; readonly problem: string };

export function readPromptFile(source: string): ReadPrompt {
  const { fields, problem, body } = readFrontMatter(source);
  if (problem !== undefined) return { ok: false, problem };
  const wrong: string[] = [];
  const get = <K extends keyof typeof known>(key: K): z.infer<(typeof known)[K]> | undefined => {
    const value = fields.get(key);
    if (value === undefined || value === '') return undefined;
    const schema: z.ZodType<z.infer<(typeof known)[K]>> = known[key] as unknown as z.ZodType<
      z.infer<(typeof known)[K]>
    >;
    const read = schema.safeParse(value);
    if (!read.success) wrong.push(key);
    return read.data;
  };
  const tools = get('tools');
  const mode = get('agent') ?? get('mode');
  const prompt: PromptFile = {
    name: get('name'),
    description: get('description'),
    argumentHint: get('argument-hint'),
    // Naming tools implies that they may be used.
    mode: mode ?? (tools === undefined ? undefined : 'agent'),
    models: get('model') ?? [],
    tools,
    unknown: [...fields.keys()].filter((key) => !Object.hasOwn(known, key)),
    body: body.trim(),
  };
  if (wrong.length > 0)
    return { ok: false, problem: `“${wrong.join('”, “')}” has a value of the wrong kind` };
  return { ok: true, prompt };
}

interface NamedTools {
  /** The tools a question may use now. */
  readonly offered: readonly AgentTool[];
  readonly reading: readonly AgentTool[];
  readonly writing: readonly AgentTool[];
  readonly commands: readonly AgentTool[];
  /** The user's own sets, by name. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

type Group = 'reading' | 'writing' | 'commands';

/** VS Code's names for tools and tool sets, mapped to the equivalents here. */
const groups: ReadonlyMap<string, Group> = new Map([
  ...['search', 'codebase', 'read', 'usages', 'problems'].map((name) => [name, 'reading'] as const),
  ...['edit', 'editFiles'].map((name) => [name, 'writing'] as const),
  ...['execute', 'runCommands'].map((name) => [name, 'commands'] as const),
]);

/** The tools that a prompt asks for, and the names that match no tool. */
export function toolsOfPrompt(
  wanted: readonly string[],
  tools: NamedTools,
): { readonly tools: string[]; readonly missing: string[] } {
  const offered = new Set(tools.offered.map(({ name }) => name));
  const found = new Set<string>();
  const missing: string[] = [];
  for (const written of wanted) {
    const named = namesFor(written.replace(/^#/u, ''), tools).filter((name) => offered.has(name));
    for (const name of named) found.add(name);
    if (named.length === 0) missing.push(written);
  }
  return { tools: [...found], missing };
}

function namesFor(wanted: string, tools: NamedTools): readonly string[] {
  if (tools.offered.some(({ name }) => name === wanted)) return [wanted];
  if (Object.hasOwn(tools.sets, wanted)) return tools.sets[wanted] ?? [];
  const [first = '', second] = wanted.split('/');
  const group = groups.get(first);
  if (group !== undefined) return tools[group].map(({ name }) => name);
  if (second === undefined) return [];
  // VS Code's name for the tools of an MCP server.
  const prefix = `mcp_${first}_`;
  return second === '*'
    ? tools.offered.map(({ name }) => name).filter((name) => name.startsWith(prefix))
    : [`${prefix}${second}`];
}
