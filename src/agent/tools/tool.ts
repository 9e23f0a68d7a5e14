import type { z } from 'zod';
import type { EngineArtifacts } from '../../engine/artifacts.ts';
import type { EngineState } from '../../engine/state.ts';
import type { StepCheckpoints } from '../cycle/stepCheckpoints.ts';
import type { ExploreTask } from '../explore/exploreTask.ts';
import type { ApprovalRequest } from './approvals.ts';
import type { FileWriter } from './fileWriter.ts';
import { ToolError } from './toolError.ts';
import type { ToolFile } from './toolFiles.ts';

/** What a tool answers. The model gets the text and the files; the details are kept with it for programs. */
export interface ToolOutput {
  readonly text: string;
  /** Pictures and PDFs. */
  readonly files?: readonly ToolFile[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a tool may use while it works for one call. */
export interface ToolContext {
  readonly chatId: string;
  /** What the call is known by in its message. */
  readonly callId: string;
  /** Fires when the user stops the answer. */
  readonly signal: AbortSignal;
  readonly state: EngineState;
  readonly artifacts: EngineArtifacts;
  readonly checkpoints: StepCheckpoints;
  /** Writes files, and records what it changed; undefined where files cannot be written. */
  readonly files: FileWriter | undefined;
  /**
   * Asks the user for leave. Whatever is to be shown to them has to be final: nothing else may be done afterwards.
   * @throws DeniedError when they do not allow it
   */
  readonly approve: (request: ApprovalRequest) => Promise<void>;
  /** Shows the user what has come of the call so far. The model gets none of it. */
  readonly progress: (text: string) => void;
  /** Whether this was allowed before in this chat, so that nobody would be asked. */
  readonly isAllowed: (request: ApprovalRequest) => boolean;
  /** Has tasks explored on branches of their own; undefined for an agent that works for another one. */
  readonly explore?: ((tasks: readonly ExploreTask[]) => Promise<ToolOutput>) | undefined;
}

/** A tool as it is offered to the model and as calls of it are carried out. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** What the input has to be: a schema of zod, or (for tools of others) JSON Schema. */
  readonly input: z.ZodType | { readonly jsonSchema: object };
  /** True for tools of other extensions and of MCP servers. */
  readonly isForeign?: boolean;
  /** True: once it has begun to change something, a stop waits for it, so that what is recorded is what happened. */
  readonly mustFinish?: boolean;
  /** True: it changes nothing, so that several calls of such tools can be carried out side by side. */
  readonly readsOnly?: boolean;
  /** True: it is offered for plans as well, for it changes nothing but what the user sees of the work. */
  readonly isForPlans?: boolean;
  /** True: a step that called it can be rewound to, whatever is recorded of what it did. */
  readonly endsStep?: boolean;
  /** True: it starts further runs. Those have no such tool, nor have answers that are only asked for. */
  readonly startsRuns?: boolean;
  /**
   * Carries out one call.
   * @param input as the model sent it; it has not been checked
   * @throws ToolError when it cannot be done; the model gets its message
   */
  call(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolDefinition<S extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly mustFinish?: boolean;
  readonly readsOnly?: boolean;
  readonly isForPlans?: boolean;
  readonly endsStep?: boolean;
  readonly startsRuns?: boolean;
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
}

/** Makes a tool whose input is checked before it runs. */
export function defineTool<S extends z.ZodType>({
  name,
  description,
  input,
  mustFinish = false,
  readsOnly = false,
  isForPlans = false,
  endsStep = false,
  startsRuns = false,
  run,
}: ToolDefinition<S>): AgentTool {
  return {
    name,
    description,
    input,
    mustFinish,
    readsOnly,
    isForPlans,
    endsStep,
    startsRuns,
    async call(given, context) {
      const read = input.safeParse(given);
      if (!read.success) throw new ToolError(describeIssues(name, read.error), 'invalid-input');
      return run(read.data, context);
    },
  };
}

export interface ForeignToolDefinition {
  readonly name: string;
  readonly description: string;
  /** What the input has to be; whoever brings the tool checks it. */
  readonly jsonSchema: object;
  readonly run: (input: object, context: ToolContext) => Promise<ToolOutput>;
}

/** Makes a tool of another program's. */
export function defineForeignTool({ name, description, jsonSchema, run }: ForeignToolDefinition): AgentTool {
  return {
    name,
    description,
    input: { jsonSchema },
    isForeign: true,
    async call(input, context) {
      if (typeof input !== 'object' || input === null) {
        throw new ToolError(`The input of “${name}” has to be an object.`, 'invalid-input');
      }
      return run(input, context);
    },
  };
}

/** How many things that are wrong with an input are named, and how much of each is quoted. */
const MAX_ISSUES = 20;
const ISSUE_LENGTH = 500;

/** What is wrong with an input, so that the model can correct it. */
export function describeIssues(name: string, { issues }: z.ZodError): string {
  const shown = issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) =>
      `- ${path.join('.') || 'input'}: ${message}`.slice(0, ISSUE_LENGTH).toWellFormed(),
    );
  const left = issues.length - shown.length;
  if (left > 0) shown.push(`- … and ${left} more`);
  return `The input of “${name}” is not valid:\n${shown.join('\n')}\nCorrect it and call the tool again.`;
}
