import { z } from 'zod';
import { OffshootError } from '../../engine/errors.ts';
import { readingTools } from '../reading/readingTools.ts';
import { ToolFailure, type Reading, type ToolAnswer } from '../reading/readingTool.ts';
import { counted, quoted } from '../reading/shownText.ts';
import { askedWrite, writtenAnswer, writingTools } from '../asking/askedWrites.ts';

/** Asks the user, and performs the write when they allow it. */
export type Ask = (name: string, given: unknown, signal: AbortSignal) => Promise<unknown>;

export interface ToolHost {
  readonly reading: Reading;
  /** Updates what is read; omitted: it is always current. */
  readonly look?: (() => Promise<void>) | undefined;
  /** Omitted: the user cannot be asked, so that nothing can be written. */
  readonly ask?: Ask | undefined;
  /** How long the user may take, in milliseconds. */
  readonly askMs: number;
  readonly onError: (error: unknown) => void;
}

export interface Caller {
  readonly program: string;
  readonly signal: AbortSignal;
}

/** In the protocol's form. */
export interface CallResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Runs a call. A failure is also a result, which explains what to do. @returns undefined for an unknown tool */
export async function callTool(
  host: ToolHost,
  caller: Caller,
  name: string,
  input: unknown,
): Promise<CallResult | undefined> {
  const reading = readingTools.find((tool) => tool.name === name);
  const writing = writingTools.find((tool) => tool.name === name);
  if (!reading && !writing) return undefined;
  try {
    if (reading) await host.look?.();
    const answer = reading
      ? await reading.run(host.reading, input)
      : await askFor(host, caller, name, (writing ?? { input: z.never() }).input.parse(input));
    return {
      content: [{ type: 'text', text: answer.text }],
      ...(answer.data ? { structuredContent: { ...answer.data } } : {}),
    };
  } catch (error) {
    // A disconnected caller does not read it, and the disconnect is not an error.
    const onError = caller.signal.aborted ? () => undefined : host.onError;
    return { content: [{ type: 'text', text: textOfFailure(error, onError) }], isError: true };
  }
}

async function askFor(host: ToolHost, caller: Caller, name: string, given: unknown): Promise<ToolAnswer> {
  const { ask, askMs } = host;
  if (!ask) throw new ToolFailure('cannot-ask', 'These conversations can only be read from here.');
  const asked = askedWrite.parse({ name, program: caller.program, given });
  const limit = AbortSignal.timeout(askMs);
  const signal = AbortSignal.any([caller.signal, limit]);
  try {
    const { branch, message } = writtenAnswer.parse(await ask(name, asked, signal));
    const done = {
      create_checkpoint: `Created the checkpoint at message ${quoted(message)}.`,
      add_note: `Added the note to branch ${quoted(branch)}, as message ${quoted(message)}.`,
      merge_summary: `Added the summary to branch ${quoted(branch)}, as message ${quoted(message)}.`,
    }[asked.name];
    return { text: `The user allowed it. ${done}` };
  } catch (error) {
    if (!limit.aborted) throw error;
    const waited = counted(Math.round(askMs / 1_000), 'second');
    throw new ToolFailure(
      'not-answered',
      `The user did not answer within ${waited}. Nothing was written. Ask them to look at VS Code, then try again.`,
    );
  }
}

/** The error text for a model. Internal errors are only logged. */
export function textOfFailure(error: unknown, onError: (error: unknown) => void): string {
  if (error instanceof OffshootError) return error.message;
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const place = issue?.path.map(String).join('.') ?? '';
    return `Invalid input${place === '' ? '' : ` (${place})`}: ${issue?.message ?? 'not understood'}`;
  }
  if (isLost(error)) {
    return 'The VS Code window was closed while it was asked. Look whether it was written, then try again.';
  }
  onError(error);
  return 'Something went wrong in Offshoot’s MCP server; its log (stderr) says where.';
}

/** The asked window has closed. */
function isLost(error: unknown): boolean {
  return error instanceof Error && error.name === 'LinkLostError';
}

interface ObjectSchema {
  readonly [member: string]: unknown;
  readonly type: 'object';
  readonly properties?: Record<string, object>;
  readonly required?: string[];
}

/** @param io the accepted input, or the output with defaults filled in */
function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io });
  return { ...made, type: 'object' } as ObjectSchema;
}

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
}

export function listedTools(): ListedTool[] {
  return [
    ...readingTools.map(({ name, title, description, input, output }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      ...(output ? { outputSchema: jsonSchemaOf(output, 'output') } : {}),
      annotations: { title, readOnlyHint: true, openWorldHint: false },
    })),
    ...writingTools.map(({ name, title, description, input }) => ({
      name,
      title,
      description,
      inputSchema: jsonSchemaOf(input, 'input'),
      annotations: {
        title,
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    })),
  ];
}
