import type { z } from 'zod';
import type { ToolInput } from './inputSchema.ts';
import type { EngineArtifacts } from '../../engine/artifacts.ts';
import type { EngineState } from '../../engine/state.ts';
import type { StepCheckpoints } from '../checkpoints/stepCheckpoints.ts';
import type { ExploreTask } from '../explore/exploreTask.ts';
import type { ApprovalRequest } from './approvals.ts';
import { ToolError } from './toolError.ts';
import type { QuestionAnswer, UserQuestion } from './userQuestions.ts';
import { membersOf } from '../../models/requests/schemaMembers.ts';
import type { QuietCommand } from '../../models/messages/toolParts.ts';
import type { ToolFile } from '../../models/messages/toolFiles.ts';
import type { FoundChange, FileLocation, ResolvedFile } from '../../host/workspaceFiles.ts';

/** A tool's result. The model gets the text and the files; the details are stored with it for programs. */
export interface ToolOutput {
  readonly text: string;
  /** Pictures and PDFs. */
  readonly files?: readonly ToolFile[];
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface ToolContext {
  readonly chatId: string;
  readonly callId: string;
  /** Fires when the user stops the answer. */
  readonly signal: AbortSignal;
  readonly state: EngineState;
  readonly artifacts: EngineArtifacts;
  readonly checkpoints: StepCheckpoints;
  /** Writes files and records the changes; undefined if files cannot be written. */
  readonly files: FileWriter | undefined;
  /** What is shown must be final: the tool may then do nothing else. @throws DeniedError when the user denies it */
  readonly approve: (request: ApprovalRequest) => Promise<void>;
  /** @returns an answer to each question; undefined if the user leaves them to the model */
  readonly askUser: (questions: readonly UserQuestion[]) => Promise<readonly QuestionAnswer[] | undefined>;
  /** Shows the user the call's output so far, and that it writes nothing. The model does not get it. */
  readonly progress: (text: string, quiet?: QuietCommand) => void;
  /** Whether this was already allowed in this chat, so that no question is needed. */
  readonly isAllowed: (request: ApprovalRequest) => boolean;
  /** Explores tasks on their own branches; undefined for an agent that works for another one. */
  readonly explore?: ((tasks: readonly ExploreTask[]) => Promise<ToolOutput>) | undefined;
}

export interface AgentTool<Name extends string = string> {
  readonly name: Name;
  readonly description: string;
  readonly input: ToolInput;
  /** True for tools of other extensions and of MCP servers. */
  readonly isForeign?: boolean;
  /** True: once it has started to change something, a stop waits for it, so that the record is accurate. */
  readonly mustFinish?: boolean;
  /** True: it changes nothing, so that several such calls can run in parallel. */
  readonly readsOnly?: boolean;
  /** True: it is also offered in plan mode, because it changes only what the user sees of the work. */
  readonly isForPlans?: boolean;
  /** True: a step that called it is a target for rewinds, even without recorded changes. */
  readonly endsStep?: boolean;
  /** True: it starts further runs. It is not offered to those, nor to answers in ask mode. */
  readonly startsRuns?: boolean;
  /** The input as the model meant it, checked. @throws ToolError, whose message the model gets */
  readonly read: (given: unknown) => Promise<unknown>;
  /** @param input as it was read; it is checked again @throws ToolError, whose message the model gets */
  call(input: unknown, context: ToolContext): Promise<ToolOutput>;
}

export interface ToolDefinition<Name extends string, S extends z.ZodType> extends Omit<
  AgentTool<Name>,
  'input' | 'isForeign' | 'read' | 'call'
> {
  readonly input: S;
  /** Brings another form of its input into the one of the schema. @throws ToolError where it has no single meaning */
  readonly inOneForm?: (given: Readonly<Record<string, unknown>>) => object;
  readonly run: (input: z.output<S>, context: ToolContext) => Promise<ToolOutput> | ToolOutput;
}

/** Defines a tool whose input is read as the model meant it, and validated before it runs. */
export function defineTool<Name extends string, S extends z.ZodType>({
  run,
  inOneForm,
  ...tool
}: ToolDefinition<Name, S>): AgentTool<Name> {
  const checked = (input: unknown): z.output<S> => {
    const { success, data, error } = tool.input.safeParse(input);
    if (!success) throw new ToolError(describeIssues(tool.name, error), 'invalid-input');
    return data;
  };
  return {
    ...tool,
    async read(given) {
      const { asMeant, inputSchema } = await import('./asMeant.ts');
      const schema = inputSchema(tool.input);
      const whole = membersOf(asMeant(schema, given));
      return checked(whole && inOneForm ? asMeant(schema, inOneForm(whole)) : (whole ?? given));
    },
    call: async (input, context) => run(checked(input), context),
  };
}

export interface ForeignToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The input's schema; the tool's provider validates it. */
  readonly jsonSchema: object;
  readonly run: (input: object, context: ToolContext) => Promise<ToolOutput>;
}

export function defineForeignTool({ name, description, jsonSchema, run }: ForeignToolDefinition): AgentTool {
  const checked = (input: unknown): object => {
    if (typeof input === 'object' && input !== null) return input;
    throw new ToolError(`The input of “${name}” has to be an object.`, 'invalid-input');
  };
  return {
    name,
    description,
    input: { jsonSchema },
    isForeign: true,
    read: async (given) => checked((await import('./asMeant.ts')).asMeant(jsonSchema, given)),
    call: async (input, context) => run(checked(input), context),
  };
}

/** How many problems of an input are listed, and how much of each is quoted. */
const MAX_ISSUES = 20;
const ISSUE_LENGTH = 500;

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

/** The only way for a tool to change files; records the changes. */
export interface FileWriter {
  /**
   * Sets a file's content to `after` (null: deletes it) and records the change with the conversation. An existing file
   * stays the same file; an interruption loses neither version.
   * @param before what the user was shown (null: no file); refuses when the disk now holds something else
   */
  write(file: ResolvedFile, before: Uint8Array | null, after: Uint8Array | null): Promise<void>;
  /**
   * Moves a file to a path where nothing exists. It has both names before it loses the first, so that an interruption
   * loses nothing.
   * @param content what the user was shown
   */
  move(from: ResolvedFile, to: ResolvedFile, content: Uint8Array): Promise<void>;
  /** Creates a folder and its parents, and records it: empty, it goes on a rewind. */
  makeFolder(folder: FileLocation): Promise<void>;
  /** Records an edit in the editor of text not saved to disk. @param before what the user was shown */
  recordEdit(file: FileLocation, before: Uint8Array, edit: () => Promise<void>): Promise<void>;
  /** Records changes by others while a tool worked, if the earlier content is known. @returns those not recorded */
  recordFound(changes: readonly FoundChange[]): Promise<readonly FoundChange[]>;
  /** The files that tools of this conversation changed, on any branch. */
  changed(): Promise<readonly FileLocation[]>;
}
