// A model that needs no account: it says how many messages it was sent, and what it has said.
import { simulateReadableStream } from 'ai';

export function countingModel() {
  let answers = 0;
  return {
    specificationVersion: 'v4',
    provider: 'example',
    modelId: 'counting',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('This model streams only.')),
    async doStream({ prompt }) {
      answers += 1;
      const turns = prompt.filter(({ role }) => role !== 'system').length;
      const words = [`answer ${answers}`, ` to ${turns}`];
      const usage = {
        inputTokens: { total: turns, noCache: turns, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: words.length, text: words.length, reasoning: 0 },
      };
      const chunks = [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: '1' },
        ...words.map((delta) => ({ type: 'text-delta', id: '1', delta })),
        { type: 'text-end', id: '1' },
        { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
      ];
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  };
}
