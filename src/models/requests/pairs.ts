import {
  isCall,
  isResult,
  type AssistantPart,
  type CallPart,
  type ResultPart,
  type TalkMessage,
  type ToolMessage,
} from './prompt.ts';

/** What a model is sent for a call whose result was never stored. */
export const OUTCOME_UNKNOWN =
  'The outcome of this call is unknown: the answer was interrupted before it was recorded. ' +
  'It may or may not have taken effect. Check before doing it again.';

/**
 * Gives every call a result in the message right after it, in the order of the calls, and drops results without a
 * call. If calls share an id, the first result belongs to the first call.
 */
export function fitPairs(messages: readonly TalkMessage[]): TalkMessage[] {
  const fitted: TalkMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === 'tool') continue;
    if (message.role === 'user') {
      fitted.push(message);
      continue;
    }
    fitted.push({ ...message, content: message.content.map(withObject) });
    const calls = message.content.filter(isCall);
    if (calls.length === 0) continue;
    const results = resultsAfter(messages, at);
    fitted.push({ role: 'tool', content: calls.map((call) => take(results, call) ?? unknown(call)) });
  }
  return fitted;
}

/** The input of a call must be an object, or the call is refused. */
function withObject(part: AssistantPart): AssistantPart {
  if (!isCall(part)) return part;
  const { input } = part;
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? part : { ...part, input: {} };
}

function resultsAfter(messages: readonly TalkMessage[], at: number): ResultPart[] {
  const results: ResultPart[] = [];
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool') break;
    results.push(...message.content.filter(isResult));
  }
  return results;
}

function take(results: ResultPart[], { toolCallId, toolName }: CallPart): ResultPart | undefined {
  const at = results.findIndex((result) => result.toolCallId === toolCallId);
  const [found] = at === -1 ? [] : results.splice(at, 1);
  return found && { ...found, toolName };
}

function unknown({ toolCallId, toolName }: CallPart): ToolMessage['content'][number] {
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'error-text', value: OUTCOME_UNKNOWN },
  };
}
