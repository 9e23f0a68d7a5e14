import assert from 'node:assert/strict';
import type { ChatModel } from '../../../src/models/chatModel.ts';
import { hostedProviders, leastEffortOf, smallModelId } from '../../../src/models/modelProviders.ts';
import { HostedSource } from '../../../src/models/providers/hosted/hostedSource.ts';
import { ModelRegistry } from '../../../src/models/modelRegistry.ts';
import { isNotOffered } from '../../../src/models/errors/modelErrors.ts';
import { writeSummary } from '../../../src/agent/summaries/writeSummary.ts';
import { writeTitle } from '../../../src/agent/summaries/writeTitle.ts';
import { findModel } from '../../../src/engine/estimate/modelPrices.ts';
import { textMessage } from '../../../src/engine/uiMessage.ts';
import { OllamaServer } from '../../fixtures/strict/ollama.ts';
import { OpenAiResponsesServer } from '../../fixtures/strict/openAiResponses.ts';
import { readObject, text } from '../../fixtures/strict/strictServer.ts';

const signal = new AbortController().signal;
const asked = { question: 'Which birds?', answer: 'Herons.', signal };

describe('small models', () => {
  it('are there for every provider that has one, cost little and think as little as they can', () => {
    for (const { id } of hostedProviders) {
      const small = smallModelId({ id: `${id}:any` });
      if (small === undefined) {
        // xAI has no cheap model, and what is deployed at Azure is the user's choice.
        assert.ok(['azure', 'xai'].includes(id), id);
        continue;
      }
      const { input = Number.NaN } = findModel(small).facts ?? {};
      assert.ok(input <= 0.3, `${small} costs ${input}`);
      assert.notEqual(leastEffortOf({ id: small }), undefined, small);
    }
  });

  it('are of the provider in use; other sources have the model in use', async () => {
    const sources = hostedProviders.map(
      (provider) => new HostedSource(provider, { keyFor: () => Promise.resolve('k') }),
    );
    const registry = new ModelRegistry({ sources, chosen: () => undefined });
    const small = async (id: string): Promise<string> => {
      const model: ChatModel = { id, label: id, isDemo: false, open: () => assert.fail() };
      return (await registry.smallFor(model)).id;
    };
    assert.equal(await small('anthropic:claude-opus-5-5'), 'anthropic:claude-haiku-5-5');
    assert.equal(await small('openai:gpt-6-luna'), 'openai:gpt-6-luna');
    for (const id of ['ollama:qwen3:8b', 'openai-compatible:m', 'vscode:copilot/gpt-5', 'demo:offline']) {
      assert.equal(await small(id), id);
    }
  });

  it('write titles and summaries with the least effort and a small limit', async () => {
    await using server = await new OpenAiResponsesServer('gpt-6-luna').listen();
    const model = await server.model();
    server.replies.push([text('Herons')], [text('They spoke of herons.')]);
    const title = await writeTitle({ model, ...asked, spends: undefined }, (code) => assert.fail(code));
    const messages = [textMessage('q', 'user', 'Which birds?')];
    const summary = await writeSummary({ model, messages, purpose: 'replace', signal, spends: undefined });
    assert.deepEqual([title?.text, summary, server.refused], ['Herons', 'They spoke of herons.', []]);
    assert.deepEqual(
      server.requests.map(({ body }) => {
        const { reasoning, max_output_tokens: limit } = readObject(body);
        return [readObject(reasoning)['effort'], limit];
      }),
      [
        ['none', 1_000],
        ['none', 4_000],
      ],
    );
  });

  it('say so when they are not offered, so that the model in use can do it', async () => {
    await using server = await new OllamaServer().listen();
    const codes: string[] = [];
    await writeTitle({ model: await server.model('gone:1b'), ...asked, spends: undefined }, (code) =>
      codes.push(code),
    );
    assert.deepEqual(codes.map(isNotOffered), [true]);
    assert.equal(isNotOffered('rate-limited'), false);
    assert.equal(isNotOffered(undefined), false);
  });

  it('of Ollama do not think, and write no more than they are to', async () => {
    await using server = await new OllamaServer().listen();
    server.replies.push([text('Herons')]);
    const title = await writeTitle({ model: await server.model(), ...asked, spends: undefined }, (code) =>
      assert.fail(code),
    );
    assert.equal(title?.text, 'Herons');
    const body = readObject(server.requests[0]?.body);
    assert.deepEqual([body['think'], readObject(body['options'])['num_predict']], [false, 1_000]);
  });
});
