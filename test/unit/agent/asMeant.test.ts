import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import { asMeant } from '../../../src/agent/tools/asMeant.ts';
import { inputSchema } from '../../../src/agent/tools/inputSchema.ts';
import { defineForeignTool, defineTool } from '../../../src/agent/tools/tool.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const input = z.object({
  path: z.string().min(1),
  include: z.string().trim().min(1).optional(),
  startLine: z.int().min(1).optional(),
  offset: z.int().min(0).default(0),
  seconds: z.number().min(0).default(120),
  isRegex: z.boolean().optional(),
  kind: z.enum(['a', 'b']).optional(),
  edits: z.array(z.object({ oldText: z.string(), newText: z.string() })).optional(),
});
const tool = defineTool({ name: 'try', description: '', input, run: () => ({ text: '' }) });
const defaults = { offset: 0, seconds: 120 };

describe('the input of a tool', () => {
  const one = { oldText: 'a', newText: 'b' };

  it('is read as the model meant it, where it has one meaning', async () => {
    const cases: readonly (readonly [given: object | string, meant: object])[] = [
      [{ include: null, startLine: null, isRegex: null, edits: null, seconds: null }, {}],
      [{ include: '', kind: '' }, {}],
      [{ startLine: 0 }, {}],
      [{ startLine: -1 }, {}],
      [{ startLine: '0' }, {}],
      [{ startLine: 'null', isRegex: 'None', offset: '' }, {}],
      [
        { startLine: '7', seconds: ' 1.5 ', offset: '-0' },
        { startLine: 7, seconds: 1.5, offset: -0 },
      ],
      [{ isRegex: 'True' }, { isRegex: true }],
      [{ isRegex: 'false' }, { isRegex: false }],
      [{ edits: JSON.stringify([one]) }, { edits: [one] }],
      [{ edits: one }, { edits: [one] }],
      [{ edits: JSON.stringify(one) }, { edits: [one] }],
      [{ edits: [JSON.stringify(one)] }, { edits: [one] }],
      [{ offset: 0, edits: [] }, { edits: [] }],
    ];
    for (const [given, meant] of cases) {
      const read = await tool.read({ path: 'p', ...(given as object) });
      assert.deepEqual(read, { path: 'p', ...defaults, ...meant }, JSON.stringify(given));
    }
    assert.deepEqual(await tool.read(JSON.stringify({ path: 'p' })), { path: 'p', ...defaults });
  });

  it('is told to the model where it has none', async () => {
    const cases: readonly (readonly [given: unknown, problem: RegExp])[] = [
      [{ path: null }, /- path: /u],
      [{ path: '' }, /- path: /u],
      [{ path: 'p', startLine: -20 }, /- startLine: /u],
      [{ path: 'p', startLine: 'ten' }, /- startLine: /u],
      [{ path: 'p', startLine: 1.5 }, /- startLine: /u],
      [{ path: 'p', isRegex: 'maybe' }, /- isRegex: /u],
      [{ path: 'p', edits: '[{' }, /- edits: /u],
      [{ path: ['p'] }, /- path: /u],
      [{ path: 7 }, /- path: /u],
      ['path', /- input: /u],
      [null, /- input: /u],
      [[], /- input: /u],
    ];
    for (const [given, problem] of cases) {
      await assert.rejects(
        tool.read(given),
        { code: 'invalid-input', message: problem },
        JSON.stringify(given),
      );
    }
  });

  it('of another program’s tool is read by the schema that program gives', async () => {
    const foreign = defineForeignTool({
      name: 'theirs',
      description: '',
      jsonSchema: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { $ref: '#/$defs/id' },
          limit: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
          name: { type: ['string', 'null'] },
          note: { type: 'string' },
          anything: {},
          own: { $ref: '#/$defs/own' },
        },
        $defs: { id: { type: 'integer' }, own: { $ref: '#/$defs/own' } },
      },
      run: () => Promise.resolve({ text: '' }),
    });
    const given = { id: '5', limit: null, name: null, note: null, anything: null, own: null, more: '1' };
    const { note: _note, ...rest } = given;
    assert.deepEqual(await foreign.read(given), { ...rest, id: 5 });
    assert.deepEqual(await foreign.read({ id: 1, limit: '3', note: '' }), { id: 1, limit: 3, note: '' });
    await assert.rejects(foreign.read('none'), { code: 'invalid-input' });
  });

  it('stays as it is where it fits already (fuzz)', () => {
    const schema = inputSchema(input);
    const fits = fc.record(
      {
        path: fc.string({ minLength: 1 }),
        include: fc.stringMatching(/^\w+$/u),
        startLine: fc.integer({ min: 1 }),
        offset: fc.nat(),
        isRegex: fc.boolean(),
        kind: fc.constantFrom('a', 'b'),
        edits: fc.array(fc.record({ oldText: fc.string(), newText: fc.string() }, { noNullPrototype: true })),
      },
      { requiredKeys: ['path'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fits, (given) => assert.deepEqual(asMeant(schema, given), given)),
      { numRuns: fuzzRuns(200) },
    );
  });

  it('may be anything, and so may the schema (fuzz)', () => {
    fc.assert(
      fc.property(fc.object(), fc.anything(), (schema, given) => void asMeant(schema, given)),
      { numRuns: fuzzRuns(300) },
    );
  });
});
