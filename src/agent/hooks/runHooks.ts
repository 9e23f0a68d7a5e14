import { addedText, INSTRUCTIONS_PART, type SentInstructions } from '../attachments/addedParts.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import { changedInput, toolInputFor } from './hookTools.ts';
import { canBlock, hookInput, matchedNames, type HookOccasion, type HookSituation } from './hookCall.ts';
import { verdictOf, type HookEnd, type HookProblem } from './hookVerdict.ts';
import type { Hook, HooksFile } from './hook.ts';
import { isMatched } from './readHooksFile.ts';
import { textForModel } from './textForModel.ts';

/** Which hook said something, as the user is shown it. */
export interface SaidByHook {
  /** Its file, as the user names it. */
  readonly by: string;
  readonly uri: string;
  readonly text: string;
}

/** What the hooks of an event want together. */
export interface HookOutcome {
  /** It must not happen. */
  readonly denied?: SaidByHook;
  /** The user is to be asked, whatever else is allowed. */
  readonly asks?: SaidByHook;
  /** The answer is to end. */
  readonly stops?: SaidByHook;
  /** For the model. */
  readonly contexts: readonly SaidByHook[];
  /** The input of a call, changed; its text names no reason. */
  readonly input?: { readonly by: SaidByHook; readonly value: unknown };
}

export const NOTHING_SAID: HookOutcome = { contexts: [] };

/** The hooks of one branch's work. */
export interface RunHooks {
  /** Never rejects, except when the signal fires. */
  fire(occasion: HookOccasion, signal: AbortSignal): Promise<HookOutcome>;
  /** What one adds for the model, as parts of a question. */
  readonly asParts: (said: SaidByHook) => UIMessagePart[];
}

export interface HookStart {
  readonly hook: Hook;
  readonly file: HooksFile;
  readonly command: NonNullable<Hook['command']>;
  readonly input: string;
  readonly signal: AbortSignal;
}

export interface RunHooksOptions {
  /** The files whose hooks the user allowed, as they are now. */
  readonly allowed: () => Promise<readonly HooksFile[]>;
  /**
   * Why a file whose hooks ran before is not allowed any more, for the user and the model; undefined where the user turned
   * it off.
   */
  readonly whyChanged: (file: HooksFile) => Promise<string | undefined>;
  /** @param file whose hook it is */
  readonly situation: (file: HooksFile, hook: Hook) => HookSituation;
  /** Runs a command. Rejects only when the signal fires. */
  readonly run: (start: HookStart) => Promise<HookEnd>;
  readonly onProblem: (file: HooksFile, event: Hook['event'], problem: HookProblem) => void;
}

/**
 * One after the other, in the order of the files: each gets the input as those before it left it. After one that denies,
 * no other is run; the same command is run once.
 */
export function createRunHooks(options: RunHooksOptions): RunHooks {
  const ran = new Map<string, HooksFile>();
  return { fire: (occasion, signal) => fire(options, occasion, ran, signal), asParts: contextParts };
}

/** As instructions of the project are sent and shown: with the file that they are from. */
function contextParts({ by, uri, text }: SaidByHook): UIMessagePart[] {
  const data: SentInstructions = { path: by, uri, because: { kind: 'hook' } };
  return [{ type: INSTRUCTIONS_PART, data }, addedText('instructions', textForModel({ by, text }))];
}

/** @param ran the files that were allowed before, by their URIs */
async function fire(
  options: RunHooksOptions,
  occasion: HookOccasion,
  ran: Map<string, HooksFile>,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const run = new Set<string>();
  const allowed = await options.allowed();
  const denied = await deniedByChange(options, occasion, { ran, allowed });
  if (denied) return { ...NOTHING_SAID, denied };
  for (const file of allowed) ran.set(file.uri, file);
  let outcome: HookOutcome = NOTHING_SAID;
  for (const file of allowed) {
    for (const hook of file.hooks) {
      const { command, cwd = '' } = hook;
      if (!command || !isMeant(hook, occasion)) continue;
      const key = JSON.stringify([command, cwd, file.folder ?? '']);
      if (run.has(key)) continue;
      run.add(key);
      outcome = await take(options, { file, hook, command }, withInput(occasion, outcome), outcome, signal);
      if (outcome.denied) return outcome;
    }
  }
  return outcome;
}

function isMeant({ event, matcher }: Hook, occasion: HookOccasion): boolean {
  const names = matchedNames(occasion);
  return event === occasion.event && (names.length === 0 || isMatched(matcher, names));
}

/** What guards a call must not end because the answer changes a script of it. */
async function deniedByChange(
  { whyChanged }: RunHooksOptions,
  occasion: HookOccasion,
  { ran, allowed }: { readonly ran: Map<string, HooksFile>; readonly allowed: readonly HooksFile[] },
): Promise<SaidByHook | undefined> {
  if (!canBlock(occasion.event)) return undefined;
  const gone = [...ran.values()].filter(({ uri }) => !allowed.some((file) => file.uri === uri));
  for (const file of gone.filter(({ hooks }) => hooks.some((hook) => isMeant(hook, occasion)))) {
    const text = await whyChanged(file);
    if (text !== undefined) return { by: file.shown, uri: file.uri, text };
    ran.delete(file.uri);
  }
  return undefined;
}

function withInput(occasion: HookOccasion, { input }: HookOutcome): HookOccasion {
  return input && occasion.event === 'PreToolUse' ? { ...occasion, input: input.value } : occasion;
}

async function take(
  { onProblem, run, situation }: RunHooksOptions,
  { file, hook, command }: Pick<HookStart, 'file' | 'hook' | 'command'>,
  occasion: HookOccasion,
  before: HookOutcome,
  signal: AbortSignal,
): Promise<HookOutcome> {
  signal.throwIfAborted();
  const at = situation(file, hook);
  const end = await run({ hook, file, command, input: hookInput(hook, occasion, at), signal });
  signal.throwIfAborted();
  const { context, decision, problem, reason = '', stops, updatedInput } = verdictOf(hook, end);
  if (problem) onProblem(file, hook.event, problem);
  const by = (text: string): SaidByHook => ({ by: file.shown, uri: file.uri, text });
  return {
    contexts: context === undefined ? before.contexts : [...before.contexts, by(context)],
    ...(decision === 'deny' ? { denied: by(reason) } : {}),
    ...atFirst('asks', before.asks, decision === 'ask' ? by(reason) : undefined),
    ...atFirst('stops', before.stops, stops === undefined ? undefined : by(stops)),
    ...inputAfter(hook, { occasion, before, updatedInput, pathOf: at.pathOf, by: by('') }),
  };
}

function atFirst<K extends 'asks' | 'stops'>(
  name: K,
  known: SaidByHook | undefined,
  now: SaidByHook | undefined,
): Partial<Record<K, SaidByHook>> {
  const said = known ?? now;
  return said ? ({ [name]: said } as Partial<Record<K, SaidByHook>>) : {};
}

function inputAfter(
  { dialect }: Pick<Hook, 'dialect'>,
  {
    occasion,
    before,
    updatedInput,
    pathOf,
    by,
  }: {
    readonly occasion: HookOccasion;
    readonly before: HookOutcome;
    readonly updatedInput: Readonly<Record<string, unknown>> | undefined;
    readonly pathOf: HookSituation['pathOf'];
    readonly by: SaidByHook;
  },
): Pick<HookOutcome, 'input'> {
  const known = before.input ? { input: before.input } : {};
  if (occasion.event !== 'PreToolUse' || updatedInput === undefined) return known;
  const { input, tool } = occasion;
  const sent = toolInputFor(tool, dialect, input, pathOf);
  const value = changedInput(tool, dialect, { input, sent, updated: updatedInput });
  return JSON.stringify(value) === JSON.stringify(input) ? known : { input: { by, value } };
}
