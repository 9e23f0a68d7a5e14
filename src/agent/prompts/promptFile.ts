import { FieldReader, line, list } from './fieldReader.ts';
import { readFrontMatter } from './frontMatter.ts';
import type { AgentTool } from '../tools/tool.ts';

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
  const read = new FieldReader(fields, known);
  const tools = read.get('tools');
  const mode = read.get('agent') ?? read.get('mode');
  const prompt: PromptFile = {
    name: read.get('name'),
    description: read.get('description'),
    argumentHint: read.get('argument-hint'),
    // Naming tools implies that they may be used.
    mode: mode ?? (tools === undefined ? undefined : 'agent'),
    models: read.get('model') ?? [],
    tools,
    unknown: read.unknown,
    body: body.trim(),
  };
  return read.problem === undefined ? { ok: true, prompt } : { ok: false, problem: read.problem };
}

export interface NamedTools {
  /** The tools a question may use now. */
  readonly offered: readonly AgentTool[];
  readonly reading: readonly AgentTool[];
  readonly writing: readonly AgentTool[];
  readonly commands: readonly AgentTool[];
  readonly web?: readonly AgentTool[];
  readonly exploring?: readonly AgentTool[];
  readonly notes?: readonly AgentTool[];
  /** The user's own sets, by name. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

type Group = 'reading' | 'writing' | 'commands' | 'web' | 'exploring' | 'notes';

/** The names of VS Code and Claude Code for tools and tool sets, mapped to the equivalents here. */
const groups: ReadonlyMap<string, Group> = new Map([
  ...['search', 'codebase', 'read', 'usages', 'problems'].map((name) => [name, 'reading'] as const),
  ...['Read', 'Grep', 'Glob', 'LS'].map((name) => [name, 'reading'] as const),
  ...['edit', 'editFiles', 'Edit', 'MultiEdit', 'Write'].map((name) => [name, 'writing'] as const),
  ...['execute', 'runCommands', 'Bash'].map((name) => [name, 'commands'] as const),
  ...['web', 'fetch', 'WebFetch'].map((name) => [name, 'web'] as const),
  ...['agent', 'runSubagent', 'Agent', 'Task'].map((name) => [name, 'exploring'] as const),
  ...['todo', 'todos', 'TodoWrite'].map((name) => [name, 'notes'] as const),
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
  if (group !== undefined) return (tools[group] ?? []).map(({ name }) => name);
  if (second === undefined) return wanted.startsWith('mcp__') ? [wanted.replaceAll('__', '_')] : [];
  // VS Code's name for the tools of an MCP server.
  const prefix = `mcp_${first}_`;
  return second === '*'
    ? tools.offered.map(({ name }) => name).filter((name) => name.startsWith(prefix))
    : [`${prefix}${second}`];
}
