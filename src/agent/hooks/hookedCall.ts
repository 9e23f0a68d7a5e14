import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { startOf } from '../tools/textLimits.ts';
import type { AgentTool, ToolContext, ToolOutput } from '../tools/tool.ts';
import { ToolError } from '../tools/toolError.ts';
import type { RunHooks, SaidByHook } from './runHooks.ts';
import { textForModel } from './textForModel.ts';

/** How much of a result hooks get, in UTF-16 units. */
const MAX_RESULT = 100_000;

interface HookedCall extends Pick<ToolContext, 'approve' | 'callId' | 'signal'> {
  readonly tool: AgentTool;
  /** As the model wrote it, read. */
  readonly input: unknown;
  readonly carryOut: (input: unknown) => Promise<ToolOutput>;
  /** The call has this input instead. */
  readonly onInput: (input: unknown) => void;
  /** For the user. */
  readonly onNote: (note: MessageDescriptor) => void;
  /** The answer is to end after this step. */
  readonly onStop: (said: SaidByHook) => void;
}

/**
 * A call with what hooks say before and after it. They can refuse it, have the user asked, and change its input, which is
 * then judged and asked for as any other.
 */
export async function callWithHooks(hooks: RunHooks, call: HookedCall): Promise<ToolOutput> {
  const { approve, callId, carryOut, onInput, onNote, onStop, signal, tool } = call;
  const { name } = tool;
  const before = await hooks.fire({ event: 'PreToolUse', tool: name, callId, input: call.input }, signal);
  if (before.stops) onStop(before.stops);
  const refused = before.denied ?? before.stops;
  if (refused) {
    onNote(noteOf('blocked', refused));
    throw new ToolError(blocked(refused), 'blocked-by-hook');
  }
  let { input } = call;
  if (before.input) {
    const { by, value } = before.input;
    try {
      input = await tool.read(value);
    } catch (error) {
      onNote(noteOf('blocked', by));
      const why = error instanceof Error ? ` ${error.message}` : '';
      throw new ToolError(
        `A hook of ${by.by} changed the input of this call to one that can’t be used, and it was not carried out.${why}`,
        'blocked-by-hook',
      );
    }
    onInput(input);
    onNote(noteOf('changed', by));
  }
  if (before.asks) {
    onNote(noteOf('asked', before.asks));
    const command = commandIn(name, input);
    await approve({
      kind: `hook:${name}`,
      hook: noteOf('asks', before.asks),
      ...(command === undefined ? {} : { command: { text: command, folder: '' } }),
    });
  }
  const output = await carryOut(input);
  const result = startOf(output.text, MAX_RESULT);
  const after = await hooks.fire({ event: 'PostToolUse', tool: name, callId, input, result }, signal);
  if (after.stops) onStop(after.stops);
  const added = [...before.contexts, ...(after.denied ? [after.denied] : []), ...after.contexts].filter(
    ({ text }) => text !== '',
  );
  if (added.length === 0) return output;
  for (const each of added) onNote(noteOf('added', each));
  return { ...output, text: [output.text, ...added.map(textForModel)].join('\n\n') };
}

function blocked({ by, text }: SaidByHook): string {
  const reason = text === '' ? '.' : `: ${text}`;
  return `A hook of the project, in ${by}, blocked this call${reason}\nDo not try to do the same in another way.`;
}

/** How much of a reason is shown at a call, in UTF-16 units. */
const MAX_NOTE = 300;

/** With the reason, if there is one. */
function noteOf(
  effect: 'blocked' | 'asked' | 'asks' | 'changed' | 'added',
  { by, text }: SaidByHook,
): MessageDescriptor {
  const note = {
    blocked: defineMessage('Blocked by a hook of {0}', by),
    asked: defineMessage('A hook of {0} had you asked', by),
    asks: defineMessage('A hook of {0} wants you to be asked', by),
    changed: defineMessage('A hook of {0} changed what it was called with', by),
    added: defineMessage('A hook of {0} added to the result', by),
  }[effect];
  return text === '' ? note : { template: '{0}: {1}', args: [note, startOf(text, MAX_NOTE)] };
}

/** What is to be run is shown with the question. */
function commandIn(tool: string, input: unknown): string | undefined {
  return tool === 'run_command' && typeof input === 'object' && input !== null && 'command' in input
    ? String(input.command)
    : undefined;
}
