import assert from 'node:assert/strict';
import fc from 'fast-check';
import { estimate, findModelFacts, loadTokenizer } from '../../../src/engine/estimate/index.ts';

const tokensOf = async (text: string): Promise<number> =>
  (await estimate({ modelId: 'gpt-4o', parts: [{ name: 'user', text }] })).tokens;

describe('estimate', () => {
  it('counts as OpenAI does', async () => {
    // js-tiktoken, another implementation of the encoding, counts the same.
    assert.equal(await tokensOf('hello world'), 2);
    assert.equal(await tokensOf('The quick brown fox jumps over the lazy dog.'), 10);
    assert.equal(await tokensOf('Wie viel kostet ein Baum? 漢字 👩‍👩‍👧'), 17);
    assert.equal(await tokensOf(''), 0);
  });

  it('gives the cost of the whole and of each part, in their order, in US dollars', async () => {
    const parts = [
      { name: 'role', text: 'hello world' },
      { id: 'q1', name: 'user', text: 'The quick brown fox jumps over the lazy dog.' },
    ];
    assert.deepEqual(await estimate({ modelId: 'openai:gpt-4o', parts }), {
      modelId: 'openai:gpt-4o',
      provider: 'openai',
      tokens: 12,
      cost: 0.00003,
      limits: { context: 128_000, output: 16_384 },
      exceedsContext: false,
      fragments: [
        { name: 'role', tokens: 2, cost: 0.000005 },
        { id: 'q1', name: 'user', tokens: 10, cost: 0.000025 },
      ],
    });
  });

  it('finds a model by each way of writing its id', () => {
    const same = [
      ['gpt-4o', 'gpt-4o-2024-08-06', 'GPT-4o'],
      ['claude-sonnet-4-5', 'claude-sonnet-4.5', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5@20250929'],
      ['gpt-oss-20b', 'openai/gpt-oss-20b'],
      ['gpt-5-chat', 'gpt-5-chat-latest'],
    ];
    for (const [first = '', ...others] of same) {
      const facts = findModelFacts(first);
      assert.ok(facts, first);
      for (const other of others) assert.equal(findModelFacts(other), facts, other);
    }
    // A dated model with a price of its own.
    assert.equal(findModelFacts('gpt-4o-2024-05-13')?.input, 5);
    // The maker is part of the name where many makers' models are offered.
    assert.equal(findModelFacts('anthropic/claude-opus-5.5', 'openrouter')?.provider, 'openrouter');
  });

  it('reads the provider before a colon or a slash', async () => {
    const found = async (modelId: string): Promise<(string | number | undefined)[]> => {
      const { provider, cost } = await estimate({ modelId, parts: [{ name: 'user', text: 'hello world' }] });
      return [provider, cost];
    };
    assert.deepEqual(await found('groq:gpt-oss-20b'), ['groq', 0.00000015]);
    assert.deepEqual(await found('groq:openai/gpt-oss-20b'), ['groq', 0.00000015]);
    assert.deepEqual(await found('anthropic/claude-opus-4-5'), ['anthropic', 0.00001]);
    assert.deepEqual(await found('gemini-2.5-flash'), ['google', 0.0000006]);
  });

  it('has no cost where the price is not known: elsewhere the same model has another', async () => {
    for (const modelId of [
      'ollama:gpt-oss-20b',
      'openai-compatible:gpt-4o',
      'openai:claude-opus-5',
      'nobody',
      '',
      ':',
    ]) {
      const result = await estimate({ modelId, parts: [{ name: 'user', text: 'hello world' }] });
      assert.equal(result.tokens, 2);
      for (const member of ['cost', 'limits', 'exceedsContext']) assert.ok(!(member in result), modelId);
      assert.ok(!('cost' in (result.fragments[0] ?? {})));
    }
  });

  it('takes the higher price of long inputs', async () => {
    const at = async (words: number): Promise<number | undefined> =>
      (await estimate({ modelId: 'gpt-5.4', parts: [{ name: 'user', text: ' word'.repeat(words) }] })).cost;
    assert.equal(await at(272_000), 0.68);
    assert.equal(await at(300_000), 1.5);
  });

  it('says when it is more than the model holds', async () => {
    const parts = [{ name: 'user', text: ' word'.repeat(16_386) }];
    assert.equal((await estimate({ modelId: 'gpt-4', parts })).exceedsContext, true);
    assert.equal((await estimate({ modelId: 'gpt-4o', parts })).exceedsContext, false);
  });

  it('counts what looks like a special token as text', async () => {
    assert.ok((await tokensOf('<|endoftext|>')) > 1);
  });

  it('counts any text, half surrogates included, with at most one token a byte', async () => {
    const countTokens = await loadTokenizer();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => {
        const tokens = countTokens(text);
        assert.ok(tokens <= new TextEncoder().encode(text).length);
        assert.equal(tokens === 0, text === '');
      }),
    );
    assert.ok(countTokens('a\uD800b') > 0);
  });

  it('takes time that grows with the length, even of a single endless word', async () => {
    const countTokens = await loadTokenizer();
    const time = (text: string): number => {
      const before = performance.now();
      countTokens(text);
      return performance.now() - before;
    };
    for (const unit of ['a', ' ', '漢字', '👩‍👩‍👧']) {
      time(unit.repeat(2_000));
      // Counted as one run, these take from 4 to 8 seconds.
      assert.ok(time(unit.repeat(100_000 / unit.length)) < 1_000, JSON.stringify(unit));
    }
  });

  it('can be written to JSON', async () => {
    const result = await estimate({ modelId: 'gpt-4o', parts: [{ name: 'user', text: 'x' }] });
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
  });
});
