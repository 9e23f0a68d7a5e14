import assert from 'node:assert/strict';
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
