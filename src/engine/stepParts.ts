import { z } from 'zod';
import { InvalidArgumentError } from './errors.ts';
import type { ToolOutcome } from './fragments/reminders.ts';
import { verbatim } from './messageDescriptor.ts';
import { isToolPart, readUIMessage, toolNameOf, type UIMessagePart } from './uiMessage.ts';

/** What one request to a model has added to the answer. */
export interface AnswerStep {
  readonly parts: readonly UIMessagePart[];
  readonly outcomes: readonly ToolOutcome[];
}

const providerMetadata = z.record(z.string(), z.unknown()).optional();
const words = z.object({ text: z.string(), providerMetadata });
const madeFile = z.object({
  file: z.object({ base64: z.string(), mediaType: z.string() }),
  providerMetadata,
});
const custom = z.object({ kind: z.string(), providerMetadata });
const source = z.object({
  sourceType: z.enum(['url', 'document']),
  id: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
  providerMetadata,
});
const call = z.object({
  toolCallId: z.string(),
  toolName: z.string().min(1),
  input: z.unknown(),
  dynamic: z.boolean().optional(),
  providerExecuted: z.boolean().optional(),
  title: z.string().optional(),
  providerMetadata,
});
const result = call.extend({ output: z.unknown(), preliminary: z.boolean().optional() });
const failure = call.extend({ error: z.unknown() });
const approval = z.object({
  approvalId: z.string(),
  toolCall: call,
  approved: z.boolean().optional(),
  reason: z.string().optional(),
  isAutomatic: z.boolean().optional(),
  signature: z.string().optional(),
});
const content = z.array(z.looseObject({ type: z.string() }));

type Members = Record<string, unknown>;

/**
 * The content of a step of the AI SDK as the parts of a message, as its user interfaces hold it.
 * @throws InvalidArgumentError
 */
export function stepOfAiSdk(given: readonly unknown[]): AnswerStep {
  const reader = new StepReader();
  try {
    for (const part of content.parse(given)) reader.read(part);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const place = issue?.path.map(String).join('.') ?? '';
    throw new InvalidArgumentError('step', verbatim(`${place}: ${issue?.message ?? ''}`));
  }
  return reader.step();
}

class StepReader {
  private readonly parts: Members[] = [];
  private readonly calls = new Map<string, Members>();
  private readonly errors = new Map<string, unknown>();

  read(part: { readonly type: string }): void {
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const { text, providerMetadata: metadata } = words.parse(part);
        this.parts.push({ type: part.type, text, providerMetadata: metadata });
        return;
      }
      case 'file':
      case 'reasoning-file': {
        const { file, providerMetadata: metadata } = madeFile.parse(part);
        const url = `data:${file.mediaType};base64,${file.base64}`;
        this.parts.push({ type: part.type, mediaType: file.mediaType, url, providerMetadata: metadata });
        return;
      }
      case 'custom':
        this.parts.push({ type: part.type, ...custom.parse(part) });
        return;
      case 'source': {
        const { sourceType, id, ...members } = source.parse(part);
        this.parts.push({ type: `source-${sourceType}`, sourceId: id, ...members });
        return;
      }
      case 'tool-call':
        this.callOf(call.parse(part));
        return;
      case 'tool-result': {
        const { output, preliminary, ...made } = result.parse(part);
        if (preliminary !== true) this.end(made, { state: 'output-available', output: output ?? null });
        return;
      }
      case 'tool-error': {
        const { error, ...made } = failure.parse(part);
        this.errors.set(made.toolCallId, error);
        this.end(made, { state: 'output-error', errorText: errorText(error) });
        return;
      }
      case 'tool-approval-request':
      case 'tool-approval-response':
        this.approve(part.type, approval.parse(part));
        return;
      // Kinds that a later version adds are content that is not known.
    }
  }

  step(): AnswerStep {
    if (this.parts.length === 0) return { parts: [], outcomes: [] };
    const plain: unknown = asJson([{ type: 'step-start' }, ...this.parts]);
    const parts = readUIMessage({ id: '', role: 'assistant', parts: plain })?.parts ?? [];
    return { parts, outcomes: outcomesOf(parts, this.errors) };
  }

  /** A provider's own tool may end in a later step than the one that called it. */
  private callOf({
    toolCallId,
    toolName,
    input,
    dynamic,
    providerMetadata: callProviderMetadata,
    ...more
  }: z.infer<typeof call>): Members {
    const known = this.calls.get(toolCallId);
    if (known) return known;
    const kind = dynamic === true ? { type: 'dynamic-tool', toolName } : { type: `tool-${toolName}` };
    const state = 'input-available';
    const made = { ...kind, toolCallId, state, input: input ?? null, ...more, callProviderMetadata };
    this.calls.set(toolCallId, made);
    this.parts.push(made);
    return made;
  }

  private end(made: z.infer<typeof call>, outcome: Members): void {
    const { providerMetadata: resultProviderMetadata, ...rest } = made;
    Object.assign(this.callOf({ ...rest, providerMetadata: undefined }), outcome, { resultProviderMetadata });
  }

  private approve(type: string, { toolCall, approvalId: id, ...more }: z.infer<typeof approval>): void {
    const made = this.callOf(toolCall);
    const { approved, reason, isAutomatic, signature } = more;
    if (type === 'tool-approval-request') {
      made['approval'] = { id, isAutomatic, signature, requestReason: reason };
      made['state'] = 'approval-requested';
    } else {
      made['approval'] = { ...(made['approval'] as object | undefined), id, approved, reason };
      made['state'] = approved === true ? 'approval-responded' : 'output-denied';
    }
  }
}

/** How the calls among these parts ended. @param errors what was thrown, by the id of the call, where it is known */
export function outcomesOf(
  parts: readonly UIMessagePart[],
  errors: ReadonlyMap<string, unknown> = new Map(),
): ToolOutcome[] {
  return parts.filter(isToolPart).flatMap((part): ToolOutcome[] => {
    const { toolCallId, input } = part;
    const made = { toolCallId, name: toolNameOf(part), input };
    if (part.state === 'output-available') return [{ ...made, state: part.state, output: part.output }];
    if (part.state === 'output-error') {
      const { errorText: text } = part;
      const error = errors.has(toolCallId) ? errors.get(toolCallId) : text;
      return [{ ...made, state: part.state, error, errorText: text }];
    }
    if (part.state !== 'output-denied') return [];
    const { reason } = part.approval;
    return [{ ...made, state: part.state, ...(reason === undefined ? {} : { reason }) }];
  });
}

/** As the AI SDK says it to the model. */
function errorText(error: unknown): string {
  if (error === undefined || error === null) return 'unknown error';
  if (typeof error === 'string') return error;
  return error instanceof Error ? String(error) : JSON.stringify(error);
}

/** What a tool returns may be more than JSON; a model gets that much of it. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
  return JSON.parse(text);
}
