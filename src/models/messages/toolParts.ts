import { z } from 'zod';
import { messageDescriptorSchema, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { LAST_TIME } from '../../engine/time.ts';
import {
  isToolPart,
  toolNameOf,
  type DynamicToolPart,
  type ToolPart,
  type UIMessage,
} from '../../engine/uiMessage.ts';

export type AnyToolPart = ToolPart | DynamicToolPart;

export type MessageToolCall = AnyToolPart & { readonly toolName: string };

export function toolCallsIn({ parts }: Pick<UIMessage, 'parts'>): MessageToolCall[] {
  return parts.filter(isToolPart).map((part) => ({ ...part, toolName: toolNameOf(part) }));
}

export function isSettled({ state }: AnyToolPart): boolean {
  return state === 'output-available' || state === 'output-error' || state === 'output-denied';
}

const ownOutput = z.looseObject({ text: z.string() });

/** The text of a tool's result: our tools have one, other results are shown as JSON. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output;
  const own = ownOutput.safeParse(output);
  if (own.success) return own.data.text;
  return output === undefined ? '' : JSON.stringify(output);
}

/** When a call started and ended, in milliseconds since 1970. */
const callTime = z.number().min(0).max(LAST_TIME).optional().catch(undefined);
const callTimes = z.looseObject({
  offshoot: z.object({ startedAt: callTime, finishedAt: callTime }),
});
const callProgress = z.looseObject({ offshoot: z.looseObject({ progress: z.string() }) });

/** What a command seems to wait for; `key`: in a pager or another program that fills the terminal. */
const waitsFor = z.enum(['password', 'answer', 'key', 'unknown']);
export type WaitsFor = z.infer<typeof waitsFor>;

const quietCommand = z.object({ seconds: z.number().min(0), waitsFor });

/** A command has written nothing for so long. */
export type QuietCommand = z.infer<typeof quietCommand>;

const callQuiet = z.looseObject({ offshoot: z.looseObject({ quiet: quietCommand }) });

const callHooks = z.looseObject({ offshoot: z.looseObject({ hooks: z.array(messageDescriptorSchema) }) });

/** What hooks did to a call, as the user is told it. */
export function hookNotesOf({ callProviderMetadata }: AnyToolPart): readonly MessageDescriptor[] {
  return callHooks.safeParse(callProviderMetadata).data?.offshoot.hooks ?? [];
}

export interface CallTimes {
  readonly startedAt?: number | undefined;
  readonly finishedAt?: number | undefined;
}

export function timesOf({ callProviderMetadata }: AnyToolPart): CallTimes {
  return callTimes.safeParse(callProviderMetadata).data?.offshoot ?? {};
}

/** The output so far of a call that has not ended, or was interrupted. */
export function progressOf({ callProviderMetadata }: AnyToolPart): string | undefined {
  return callProgress.safeParse(callProviderMetadata).data?.offshoot.progress;
}

/** Undefined where it writes, or is no command. */
export function quietOf({ callProviderMetadata }: AnyToolPart): QuietCommand | undefined {
  return callQuiet.safeParse(callProviderMetadata).data?.offshoot.quiet;
}

/** The same call, ended with a reason if it has no result: every call must have one. */
export function settled<P extends AnyToolPart>(part: P, reason: string): P | AnyToolPart {
  if (isSettled(part)) return part;
  const { toolCallId, callProviderMetadata } = part;
  const base =
    part.type === 'dynamic-tool' ? { type: part.type, toolName: part.toolName } : { type: part.type };
  return {
    ...base,
    toolCallId,
    ...(callProviderMetadata === undefined ? {} : { callProviderMetadata }),
    state: 'output-error',
    input: part.input ?? {},
    errorText: reason,
  };
}

export function withSettledCalls(message: UIMessage, reason: string): UIMessage {
  return {
    ...message,
    parts: message.parts.map((part) => (isToolPart(part) ? settled(part, reason) : part)),
  };
}
