import { z } from 'zod';
import { FieldReader, flag, line, list } from './fieldReader.ts';
import { readFrontMatter } from './frontMatter.ts';

const handoff = z.object({
  label: line,
  agent: line,
  prompt: z
    .string()
    .trim()
    .max(10_000)
    .overwrite((text) => text.toWellFormed())
    .optional(),
  send: flag.optional(),
  model: line.optional(),
});
/** What the user may do next, after an answer of an agent. */
export type Handoff = z.infer<typeof handoff>;

/**
 * The front matter of an agent file, as documented by VS Code and, with names of its own for tools, by Claude Code.
 * `infer` is the former name of another: with `false`, only the user selects the agent.
 */
const known = {
  name: line,
  description: line,
  'argument-hint': line,
  tools: list,
  disallowedTools: list,
  model: list,
  agents: list,
  'user-invocable': flag,
  'disable-model-invocation': flag,
  infer: flag,
  target: line,
  handoffs: z.array(handoff).max(20),
} as const;

/** The fields that are read. */
export const AGENT_FIELDS: readonly string[] = Object.keys(known);

export interface AgentFile {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Undefined: all that are on. */
  readonly tools: readonly string[] | undefined;
  readonly disallowedTools: readonly string[];
  /** In the order of preference; empty: the selected one. */
  readonly models: readonly string[];
  /** Those that may explore for it; undefined: all. */
  readonly agents: readonly string[] | undefined;
  /** The user can select it. */
  readonly isForUser: boolean;
  /** Other agents can have it explore. */
  readonly isForAgents: boolean;
  readonly handoffs: readonly Handoff[];
  /** Keys that have no meaning here. */
  readonly unknown: readonly string[];
  readonly body: string;
}

export type ReadAgent =
  | { readonly ok: true; readonly agent: AgentFile }
  /** A problem in the front matter: it may restrict what is allowed, so the agent is not used without it. */
  | { readonly ok: false; readonly problem: string };

export function readAgentFile(source: string): ReadAgent {
  const { fields, problem, body } = readFrontMatter(source);
  if (problem !== undefined) return { ok: false, problem };
  const read = new FieldReader(fields, known);
  const infer = read.get('infer') ?? true;
  const isElsewhere = read.get('target') === 'github-copilot';
  const agents = read.get('agents');
  // Read for its kind: it is shown nowhere yet.
  read.get('argument-hint');
  const agent: AgentFile = {
    name: read.get('name'),
    description: read.get('description')?.replaceAll(/\s+/gu, ' '),
    tools: read.get('tools'),
    disallowedTools: read.get('disallowedTools') ?? [],
    models: (read.get('model') ?? []).filter((model) => model !== 'inherit'),
    agents: agents?.includes('*') === true ? undefined : agents,
    isForUser: !isElsewhere && (read.get('user-invocable') ?? true),
    isForAgents: !isElsewhere && !(read.get('disable-model-invocation') ?? !infer),
    handoffs: read.get('handoffs') ?? [],
    unknown: read.unknown,
    body: body.trim(),
  };
  return read.problem === undefined ? { ok: true, agent } : { ok: false, problem: read.problem };
}
