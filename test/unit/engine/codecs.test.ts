import assert from 'node:assert/strict';
import * as fragments from '../../../src/engine/fragments/index.ts';
import { fragment, fromFragment, toFragment, type Fragment } from '../../../src/engine/fragments/index.ts';
import { XmlRenderer } from '../../../src/engine/renderers/index.ts';

const every: readonly Fragment[] = [
  fragments.role('r'),
  fragments.hint('h'),
  fragments.term('t', 'd'),
  fragments.guardrail({ rule: 'r', reason: 'why' }),
  fragments.explain({ concept: 'c', explanation: 'e' }),
  fragments.example({ question: 'q', answer: 'a' }),
  fragments.clarification({ when: 'w', ask: 'a', reason: 'r' }),
  fragments.workflow({ task: 't', steps: ['one', 'two'], triggers: ['x'] }),
  fragments.quirk({ issue: 'i', workaround: 'w' }),
  fragments.styleGuide({ prefer: 'p' }),
  fragments.analogy({ concepts: ['a', 'b'], relationship: 'r' }),
  fragments.glossary({ AOV: 'sum/count', ['__proto__']: 'root' }),
  fragments.principle({
    title: 't',
    description: 'd',
    policies: [fragments.policy({ rule: 'inner' }), 'plain'],
  }),
  fragments.policy({ rule: 'r', before: 'b' }),
  fragments.identity({ name: 'n' }),
  fragments.persona({ name: 'n', tone: 't' }),
  fragments.alias('a', 'm'),
  fragments.preference('a', 'v'),
  fragments.correction('s', 'c'),
];

describe('a fragment written as a plain object', () => {
  it('comes back as it was, every one of the engine’s', () => {
    for (const each of every) {
      const written = fromFragment(each);
      assert.equal(written.type, each.name);
      const read = toFragment(JSON.parse(JSON.stringify(written)) as typeof written);
      assert.equal(new XmlRenderer().render([read]), new XmlRenderer().render([each]));
      assert.deepEqual(fromFragment(read), written);
    }
  });

  it('is written by the codec of the registry first, also inside of others', () => {
    const registry = {
      hint: {
        toFragment: ({ words }: { type: string; words?: string }) => fragments.hint(words ?? ''),
        fromFragment: ({ name, data }: Fragment) =>
          name === 'hint' && typeof data === 'string' ? { type: 'hint', words: data } : undefined,
      },
    };
    const whole = fragments.policy({ rule: 'r', policies: [fragments.hint('inner')] });
    const written = fromFragment(whole, { registry });
    assert.deepEqual(written, { type: 'policy', rule: 'r', policies: [{ type: 'hint', words: 'inner' }] });
    assert.deepEqual(fromFragment(toFragment(written, { registry }), { registry }), written);
  });

  it('comes back with the literals in it, whatever they are called', () => {
    const literals = [
      { name: 'mine', data: 'x' },
      { name: 'hint', data: 'y' },
    ];
    const whole = fragments.policy({ rule: 'r', policies: literals });
    const written = fromFragment(whole);
    const read = toFragment(JSON.parse(JSON.stringify(written)) as typeof written);
    assert.equal(new XmlRenderer().render([read]), new XmlRenderer().render([whole]));
  });

  it('is refused where no codec knows it', () => {
    const unknown = { code: 'fragment-unknown' };
    assert.throws(() => fromFragment(fragment('mine', 'x')), unknown);
    assert.throws(() => fromFragment(fragments.user('said')), unknown);
    for (const type of ['mine', 'constructor', '__proto__', 'user']) {
      assert.throws(() => toFragment({ type }, { registry: {} }), unknown);
    }
  });
});
