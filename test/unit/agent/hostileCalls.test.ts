import assert from 'node:assert/strict';
import fc from 'fast-check';
import { notesTools } from '../../../src/agent/tools/notesTools.ts';
import { todoTools } from '../../../src/agent/tools/todoTool.ts';
import { foreignTools } from '../../../src/agent/tools/foreignTools.ts';
import { isSettled, outputText } from '../../../src/models/messages/toolParts.ts';
import { storable } from '../../../src/engine/storable.ts';
import { answer, callTool, finish } from '../../fixtures/openaiServer.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';
import { newWorld } from '../../worlds/agentWorld.ts';
import { callsIn, echoTool } from '../../worlds/toolCalls.ts';
import { Person } from '../../worlds/writingWorld.ts';

interface Call {
  readonly id?: string;
  readonly name?: string;
  /** As the server sends it: JSON, or not. */
  readonly input: string;
}

/** What calls that a model makes in one answer come to, as they are stored. */
async function storedCalls(calls: readonly Call[]) {
  const { offered: foreign } = foreignTools(
    () => [
      {
        name: 'foreign',
        description: 'Says what it is given.',
        inputSchema: undefined,
        invoke: (input) => Promise.resolve(JSON.stringify(input)),
      },
    ],
    new Set(),
  );
  const person = new Person(() => 'once');
  await using world = await newWorld({
    tools: () => [echoTool, ...todoTools, ...notesTools, ...foreign],
    approvals: person.approvals,
    script: [
      [
        ...calls.map(({ id, name = 'echo', input }, index) => callTool(id ?? `call-${index}`, name, input)),
        finish('tool_calls'),
      ],
      answer('done'),
    ],
  });
  const run = await world.answered('?');
  const path = await world.path();
  assert.equal(run.error, undefined, JSON.stringify(run.error));
  return callsIn(path);
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the input of a tool', () => {
  it('is left out where it is nested too deeply or too large, and the model is told', async () => {
    const wide = `{"a":[${'1,'.repeat(200_000)}1]}`;
    const inputs = [nested(20_000), `{"name":"k","text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, wide];
    const calls = await storedCalls(
      inputs.flatMap((input) => ['echo', 'foreign', 'write_note', 'none'].map((name) => ({ name, input }))),
    );
    assert.equal(calls.length, 12);
    for (const call of calls) {
      assert.match('errorText' in call ? call.errorText : '', /nested deeper than 100 levels|too large/);
      assert.deepEqual(Object.keys(call.input as object), ['leftOut']);
    }
  });

  it('may be as deep as anything needs', async () => {
    const [call] = await storedCalls([{ name: 'foreign', input: nested(90) }]);
    assert.ok(call?.state === 'output-available');
    assert.equal(outputText(call.output), nested(90));
  });

  it('is kept without numbers that are none of JSON', async () => {
    const [call] = await storedCalls([{ name: 'foreign', input: '{"a":1e400,"b":[-1e400,0]}' }]);
    assert.deepEqual(call?.input, { a: null, b: [null, 0] });
  });

  it('belongs to a call though its id or name could not be stored', async () => {
    const calls = await storedCalls([
      { id: '', name: 'echo', input: '{"text":"1"}' },
      { id: '\ud800', name: 'echo', input: '{"text":"2"}' },
      { id: 'x'.repeat(100_000), name: 'echo', input: '{"text":"3"}' },
      { id: 'same', name: 'echo', input: '{"text":"4"}' },
      { id: 'same', name: 'echo', input: '{"text":"5"}' },
      { id: 'n', name: 'no\ud800name'.repeat(10_000), input: '{}' },
    ]);
    assert.deepEqual(
      calls
        .slice(0, 5)
        .map((call) => (call.state === 'output-available' ? outputText(call.output) : call.state)),
      ['echo: 1', 'echo: 2', 'echo: 3', 'echo: 4', 'echo: 5'],
    );
    assert.ok((calls[5]?.toolName.length ?? Infinity) <= 200);
  });

  it('comes to an end that can be stored, whatever it is (fuzz)', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('__proto__', 'constructor', 'toJSON', '\u0000', '\ud800', '\udc00x', '', '\u202e'),
      fc.nat(3).map((times) => 'long '.repeat(times * 60_000)),
    );
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text.map((piece) => JSON.stringify(piece)),
        fc.constantFrom('1e400', '-1e400', '-0', '1e-400', 'null', 'true', '12345678901234567890'),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        fc
          .array(fc.tuple(fc.oneof(text, fc.constantFrom('text', 'key', 'value')), tie('value')), {
            maxLength: 4,
          })
          .map(
            (members) =>
              `{${members.map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}`,
          ),
        fc.nat(20_000).map(nested),
        fc.nat(20_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
      ),
    }));
    const call: fc.Arbitrary<Call> = fc.record(
      {
        id: fc.oneof(text, fc.constantFrom('same', 'same')),
        name: fc.oneof(fc.constantFrom('echo', 'foreign', 'write_note', 'read_notes'), text),
        // What is larger than a server may send at once is refused before it is a call.
        input: fc
          .oneof(
            value,
            value.map((input) => `{"name":"k","title":"t","text":${input}}`),
            value.map((input) => input.slice(1)),
          )
          .filter((input) => input.length < 1_000_000),
      },
      { requiredKeys: ['name', 'input'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (asked) => {
        // What a server sends without a name, or with a blank one, is no call for the AI SDK.
        const calls = await storedCalls(
          asked.map((each) => (each.name?.trim() === '' ? { ...each, name: 'echo' } : each)),
        );
        assert.equal(calls.length, asked.length);
        for (const each of calls) {
          assert.ok(isSettled(each), each.state);
          assert.doesNotThrow(() => storable(each, 'call'));
        }
      }),
      { numRuns: fuzzRuns(10) },
    );
  });
});
