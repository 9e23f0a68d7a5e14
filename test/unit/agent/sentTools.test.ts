import assert from 'node:assert/strict';
import { targetOf } from '../../../src/models/modelProviders.ts';
import { fitSchema } from '../../../src/models/requests/schemas.ts';
import { formatInEnglish } from '../../../src/engine/messageDescriptor.ts';

/** Each step refers to the next one twice, so that all of it written out doubles with each. */
function doubling(steps: number, key: 'anyOf' | 'oneOf' | 'allOf'): object {
  const next = (step: number): object => ({ $ref: `#/$defs/${step + 1}` });
  const links = Array.from({ length: steps }, (_, step): [string, object] => [
    String(step),
    { [key]: [next(step), next(step)] },
  ]);
  const end: [string, object] = [String(steps), { type: 'object', properties: { a: { type: 'string' } } }];
  return { $ref: '#/$defs/0', $defs: Object.fromEntries([...links, end]) };
}

describe('the schemas of tools in a request', () => {
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    it(`are refused in a moment where ${key} makes them endless`, () => {
      const refused = fitSchema(doubling(500, key));
      assert.equal(
        'problem' in refused && formatInEnglish(refused.problem),
        'Its input schema is too large.',
      );
    });
  }

  it('say nothing of bounds, patterns and formats to a server that makes a grammar of them', () => {
    const schema = {
      type: 'object',
      properties: {
        text: {
          type: 'string',
          description: 'What.',
          minLength: 1,
          maxLength: 2_000,
          pattern: '^a',
          format: 'uri',
        },
        line: { type: 'integer', minimum: 1, maximum: 9, exclusiveMinimum: 0, multipleOf: 1, default: 1 },
        list: { type: 'array', items: { type: 'string', maxLength: 5 }, minItems: 1, maxItems: 3 },
      },
      required: ['text'],
    };
    const bare = {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What.' },
        line: { type: 'integer', default: 1 },
        list: { type: 'array', items: { type: 'string' } },
      },
      required: ['text'],
    };
    for (const source of ['openai-compatible', 'My server', 'ollama']) {
      const { schemas } = targetOf({ id: `${source}:any` }).provider;
      assert.deepEqual(fitSchema(schema, schemas), { schema: bare }, source);
    }
    for (const source of ['anthropic', 'openai']) {
      const { schemas } = targetOf({ id: `${source}:any` }).provider;
      assert.deepEqual(fitSchema(schema, schemas), { schema }, source);
    }
  });

  it('may have inputs that are called like a member of every object', () => {
    const either = ['string', 'number'].map((type) => ({
      type: 'object',
      properties: { constructor: { type } },
    }));
    assert.deepEqual(fitSchema({ anyOf: either }), {
      schema: {
        type: 'object',
        properties: { constructor: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      },
    });
  });
});
