import assert from 'node:assert/strict';
import { streamAnswer, type AnswerOutcome } from '../../src/agent/run/answerStream.ts';
import type { ChatModel } from '../../src/models/chatModel.ts';
import type { HostedProvider } from '../../src/models/providerFacts.ts';
import { OpenAiCompatibleSource } from '../../src/models/providers/compatible/openAiCompatible.ts';
import type { Retry } from '../../src/models/requests/retry.ts';
import { events, startRawServer, type RawReply } from '../fixtures/rawServer.ts';

export interface Ended extends AnswerOutcome {
  readonly text: string;
  readonly retries: readonly Retry[];
  readonly requests: number;
}

/** Asks a server that sends just these replies, one after the other; no wait takes any time. */
export async function ended(
  replies: readonly RawReply[],
  model: (origin: string) => Promise<ChatModel> = compatible,
): Promise<Ended> {
  await using server = await startRawServer((_request, index) => replies[index] ?? assert.fail('too many'));
  let text = '';
  const retries: Retry[] = [];
  const outcome = await streamAnswer({
    spends: undefined,
    model: await model(server.origin),
    instructions: '',
    messages: [{ role: 'user', content: '?' }],
    tools: [],
    temperature: undefined,
    signal: new AbortController().signal,
    maxRetries: replies.length - 1,
    onPiece: (type, _key, piece) => {
      if (type === 'text') text += piece;
    },
    onNote: () => undefined,
    onCallBegun: () => undefined,
    onCall: () => undefined,
    onTemperatureIgnored: () => undefined,
    scheduler: {
      now: () => 0,
      after: (_delay, callback) => {
        callback();
        return { dispose: () => undefined };
      },
    },
    onRetry: (retry) => retries.push(retry),
  });
  return { ...outcome, text, retries, requests: server.requests.length };
}

export async function compatible(origin: string): Promise<ChatModel> {
  const source = new OpenAiCompatibleSource({
    settings: () => ({ baseUrl: `${origin}/v1`, models: ['m'] }),
    keyFor: () => Promise.resolve(undefined),
  });
  return (await source.find('openai-compatible:m')) ?? assert.fail();
}

export const hosted =
  (provider: HostedProvider) =>
  (origin: string): Promise<ChatModel> =>
    Promise.resolve({
      id: `${provider.id}:m`,
      label: 'm',
      isDemo: false,
      open: () => provider.open('m', { baseUrl: origin, key: 'k', fetch, refused: {} }),
    });

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): RawReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  pieces: [typeof body === 'string' ? body : JSON.stringify(body)],
});

export const chunk = (delta: object, finish: string | null = null): object => ({
  id: '1',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
export const fine = events(chunk({ content: 'Fine' }), chunk({}, 'stop'), '[DONE]');
