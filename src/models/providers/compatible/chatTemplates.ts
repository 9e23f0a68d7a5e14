import { z } from 'zod';

/** Models whose chat templates take one call in a message of the assistant, and refuse the whole request otherwise. */
const ONE_CALL = /llama-?3[._-][123](?!\d)/iu;

const call = z.looseObject({ id: z.string() });
const messages = z.array(
  z.looseObject({
    role: z.string(),
    tool_calls: z.array(call).optional(),
    tool_call_id: z.string().optional(),
  }),
);
type Message = z.infer<typeof messages>[number];

export function takesOneCall(model: unknown): boolean {
  return typeof model === 'string' && ONE_CALL.test(model);
}

/** Whether a server refuses a request because of parallel calls in it, as templates of Llama 3.1 to 3.3 do. */
export function refusesParallelCalls(refusal: string): boolean {
  return /single tool-?calls? at once/iu.test(refusal);
}

/**
 * Each call in a message of its own with its result after it. What was said with the calls stays with the first.
 * @param given the messages of a request; returned as they are where no message has several calls
 */
export function oneCallEach(given: unknown): unknown {
  const read = messages.safeParse(given).data;
  if (!read?.some(hasSeveralCalls)) return given;
  const results = read.filter(({ role }) => role === 'tool');
  const isOfSplit = new Set(
    read.filter(hasSeveralCalls).flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id)),
  );
  return read.flatMap((message): Message[] => {
    const { tool_calls: calls = [], tool_call_id: id } = message;
    if (message.role === 'tool') return id !== undefined && isOfSplit.has(id) ? [] : [message];
    if (!hasSeveralCalls(message)) return [message];
    return calls.flatMap((each, at): Message[] => [
      at === 0
        ? { ...message, tool_calls: [each] }
        : { role: 'assistant', content: null, tool_calls: [each] },
      ...results.filter(({ tool_call_id: result }) => result === each.id),
    ]);
  });
}

function hasSeveralCalls({ tool_calls: calls = [] }: Message): boolean {
  return calls.length > 1;
}
