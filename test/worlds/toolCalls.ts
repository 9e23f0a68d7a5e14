import { z } from 'zod';
import { toolCallsIn, type MessageToolCall } from '../../src/models/messages/toolParts.ts';
import { defineTool, type AgentTool } from '../../src/agent/tools/tool.ts';
import type { UIMessage } from '../../src/engine/uiMessage.ts';
import type { OpenAiServer, RecordedRequest } from '../fixtures/openaiServer.ts';

/** A tool that says what it was given. */
export const echoTool: AgentTool = defineTool({
  name: 'echo',
  description: 'Says what it is given.',
  input: z.object({ text: z.string() }),
  run: ({ text }) => ({ text: `echo: ${text}` }),
});

export function request(server: OpenAiServer, number: number): RecordedRequest {
  const found = server.requests[number - 1];
  if (!found) throw new Error(`There was no request number ${number}, only ${server.requests.length}.`);
  return found;
}

/** The conversation as the model got it: role and text, calls as `name(input)`. */
export function receivedMessages({ body }: RecordedRequest): string[] {
  return body.messages.map(({ role, content, tool_calls: calls }) => {
    const text =
      typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
    const called = (calls ?? []).map(({ function: { name, arguments: input } }) => `${name}(${input})`);
    return [`${role}:`, text, ...called].filter((part) => part !== '').join(' ');
  });
}

export function callsIn(path: readonly UIMessage[]): MessageToolCall[] {
  return path.flatMap((message) => toolCallsIn(message));
}
