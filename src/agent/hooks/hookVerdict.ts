import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { canBlock } from './hookCall.ts';
import type { Hook } from './hook.ts';

/** How a hook's command ended. */
export interface HookEnd {
  /** `late`: it took too long and was stopped; `stopped`: the user stopped the answer. */
  readonly end: 'ended' | 'late' | 'stopped';
  /** Null: it was killed, or could not be started. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** What a hook wants. That something be allowed is nothing it can say. */
export interface HookVerdict {
  /** `deny`: it must not happen; at its end, that it goes on. `ask`: the user is to be asked. */
  readonly decision?: 'deny' | 'ask';
  readonly reason?: string;
  /** The answer is to end after this; why. */
  readonly stops?: string;
  /** For the model. */
  readonly context?: string;
  /** The input of the call with members that are to be others. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** Why it had no say. */
  readonly problem?: HookProblem;
}

export type HookProblem =
  | { readonly kind: 'late' }
  | { readonly kind: 'not-json' }
  /** @param code null: it was killed, or could not be started */
  | { readonly kind: 'failed'; readonly code: number | null; readonly errors: string };

/** How much of a reason is kept, and of what is added for the model, in UTF-16 units. */
const MAX_REASON = 2_000;
const MAX_CONTEXT = 10_000;

const said = (
  most: number,
): z.ZodCatch<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string, string>>>> =>
  z
    .string()
    .transform((text) => startOf(text, most))
    .optional()
    .catch(undefined);

const decisions = z.enum(['allow', 'deny', 'ask']).optional().catch(undefined);
const members = z.record(z.string(), z.unknown()).optional().catch(undefined);

const specific = z.object({
  hookEventName: z.string().optional().catch(undefined),
  permissionDecision: decisions,
  permissionDecisionReason: said(MAX_REASON),
  updatedInput: members,
  additionalContext: said(MAX_CONTEXT),
});

/** Of all formats: Copilot has at the top what the others have in `hookSpecificOutput`. */
const answer = z.object({
  continue: z.boolean().optional().catch(undefined),
  stopReason: said(MAX_REASON),
  systemMessage: said(MAX_REASON),
  decision: z.string().optional().catch(undefined),
  reason: said(MAX_REASON),
  permissionDecision: decisions,
  permissionDecisionReason: said(MAX_REASON),
  modifiedArgs: members,
  additionalContext: said(MAX_CONTEXT),
  hookSpecificOutput: specific.optional().catch(undefined),
});
type Answer = z.infer<typeof answer>;

/** Members of what hooks write that are honoured. */
export const HOOK_OUTPUT_FIELDS = [
  ...Object.keys(answer.shape),
  ...Object.keys(specific.shape).filter((name) => !(name in answer.shape)),
];

export function verdictOf({ event, dialect }: Pick<Hook, 'event' | 'dialect'>, end: HookEnd): HookVerdict {
  if (end.end === 'stopped') return {};
  if (end.end === 'late') return { problem: { kind: 'late' } };
  const { exitCode } = end;
  const errors = startOf(end.errors.trim(), MAX_REASON);
  if (exitCode === BLOCKS && canBlock(event)) return { decision: 'deny', reason: errors };
  if (exitCode !== 0) return { problem: { kind: 'failed', code: exitCode, errors } };
  const output = end.output.trim();
  if (output === '') return {};
  if (!output.startsWith('{')) {
    const isContext = dialect !== 'copilot' && (event === 'SessionStart' || event === 'UserPromptSubmit');
    return isContext ? { context: startOf(output, MAX_CONTEXT) } : {};
  }
  const parsed = answer.safeParse(tryParseJson(output));
  return parsed.success ? ofAnswer(event, parsed.data) : { problem: { kind: 'not-json' } };
}

const BLOCKS = 2;

function ofAnswer(event: Hook['event'], given: Answer): HookVerdict {
  const { hookSpecificOutput: own } = given;
  // What is said of another event is not meant for this one.
  const isMeant = own?.hookEventName === undefined || own.hookEventName === event;
  const { permissionDecision, permissionDecisionReason, updatedInput, additionalContext } =
    isMeant && own ? own : {};
  const isTool = event === 'PreToolUse';
  const permission = isTool ? strictest(permissionDecision, given.permissionDecision) : undefined;
  const isBlocked = given.decision === 'block' && canBlock(event);
  const decision = isBlocked || permission === 'deny' ? 'deny' : permission === 'ask' ? 'ask' : undefined;
  const reason =
    permissionDecisionReason ?? given.permissionDecisionReason ?? given.reason ?? given.systemMessage;
  const context = additionalContext ?? given.additionalContext;
  const input = isTool ? (updatedInput ?? given.modifiedArgs) : undefined;
  return {
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined || decision === undefined ? {} : { reason }),
    ...(given.continue === false ? { stops: given.stopReason ?? given.reason ?? '' } : {}),
    ...(context === undefined || context.trim() === '' ? {} : { context }),
    ...(input === undefined ? {} : { updatedInput: input }),
  };
}

function strictest(...given: readonly z.infer<typeof decisions>[]): 'deny' | 'ask' | undefined {
  if (given.includes('deny')) return 'deny';
  return given.includes('ask') ? 'ask' : undefined;
}

function startOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()} …`;
}
