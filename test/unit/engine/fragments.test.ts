import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsyncFragmentError, NotStorableError } from '../../../src/engine/errors.ts';
import {
  alias,
  analogy,
  assistant,
  assistantText,
  checkedFragment,
  clarification,
  correction,
  example,
  explain,
  fragment,
  fragmentSchema,
  glossary,
  guardrail,
  hint,
  identity,
  isLazyFragment,
  isMessageFragment,
  lastAssistantMessage,
  persona,
  policy,
  preference,
  principle,
  quirk,
  reminder,
  resolveLazyFragment,
  role,
  settled,
  styleGuide,
  term,
  toUIMessage,
  user,
  workflow,
  type Fragment,
  type FragmentData,
} from '../../../src/engine/fragments/index.ts';
import { stripReminders, textOf } from '../../../src/engine/uiMessage.ts';

/** Each kind of fragment, with every member it may have, and what it says. */
const domain: readonly [Fragment, name: string, data: unknown][] = [
  [role('r'), 'role', 'r'],
  [hint('h'), 'hint', 'h'],
  [term('AOV', 'average order value'), 'term', { name: 'AOV', definition: 'average order value' }],
  [guardrail({ rule: 'r', reason: 's', action: 'a' }), 'guardrail', { rule: 'r', reason: 's', action: 'a' }],
  [
    explain({ concept: 'c', explanation: 'e', therefore: 't' }),
    'explain',
    { concept: 'c', explanation: 'e', therefore: 't' },
  ],
  [example({ question: 'q', answer: 'a', note: 'n' }), 'example', { question: 'q', answer: 'a', note: 'n' }],
  [
    clarification({ when: 'w', ask: 'a', reason: 'r' }),
    'clarification',
    { when: 'w', ask: 'a', reason: 'r' },
  ],
  [
    workflow({ task: 't', steps: ['1', '2'], triggers: ['x'], notes: 'n' }),
    'workflow',
    { task: 't', steps: ['1', '2'], triggers: ['x'], notes: 'n' },
  ],
  [quirk({ issue: 'i', workaround: 'w' }), 'quirk', { issue: 'i', workaround: 'w' }],
  [
    styleGuide({ prefer: 'p', never: 'n', always: 'a' }),
    'styleGuide',
    { prefer: 'p', never: 'n', always: 'a' },
  ],
  [
    analogy({ concepts: ['a', 'b'], relationship: 'r', insight: 'i', therefore: 't', pitfall: 'p' }),
    'analogy',
    { concepts: ['a', 'b'], relationship: 'r', insight: 'i', therefore: 't', pitfall: 'p' },
  ],
  [
    glossary({ AOV: 'sum/count', LTV: 'x*y' }),
    'glossary',
    [
      { term: 'AOV', expression: 'sum/count' },
      { term: 'LTV', expression: 'x*y' },
    ],
  ],
  [
    principle({ title: 't', description: 'd', policies: ['p', policy({ rule: 'r' })] }),
    'principle',
    {
      title: 't',
      description: 'd',
      policies: ['p', { name: 'policy', type: 'fragment', data: { rule: 'r' } }],
    },
  ],
  [
    policy({ rule: 'r', before: 'b', reason: 's', policies: ['p'] }),
    'policy',
    { rule: 'r', before: 'b', reason: 's', policies: ['p'] },
  ],
  [identity({ name: 'n', role: 'r' }), 'identity', { name: 'n', role: 'r' }],
  [
    persona({ name: 'n', role: 'r', objective: 'o', tone: 't' }),
    'persona',
    { name: 'n', role: 'r', objective: 'o', tone: 't' },
  ],
  [alias('rev', 'revenue'), 'alias', { term: 'rev', meaning: 'revenue' }],
  [preference('tone', 'dry'), 'preference', { aspect: 'tone', value: 'dry' }],
  [correction('churn', 'by month'), 'correction', { subject: 'churn', clarification: 'by month' }],
  [fragment('own', 'x'), 'own', 'x'],
  [fragment('own', 'x', 2, true), 'own', ['x', 2, true]],
  [reminder('psst'), 'reminder', 'psst'],
];

describe('fragments', () => {
  it('say what they are given, under their name', () => {
    for (const [each, name, data] of domain) assert.deepEqual(each, { name, type: 'fragment', data });
  });

  it('are written to JSON and read back', () => {
    const messages = [
      user('Hi', { id: 'q1' }),
      user('Hi', reminder('psst')),
      assistant('Ho', { id: 'a1' }),
      lastAssistantMessage('x'),
    ];
    for (const each of [...domain.map(([first]) => first), ...messages]) {
      assert.deepEqual(fragmentSchema.parse(JSON.parse(JSON.stringify(each))), each);
    }
  });

  it('need no type, and are read back without one', () => {
    const literal: Fragment = { name: 'hint', data: 'Be brief.' };
    assert.deepEqual(fragmentSchema.parse(JSON.parse(JSON.stringify(literal))), literal);
    assert.equal(isMessageFragment(literal), false);
    assert.deepEqual(settled(fragment('f', { name: 'g', data: () => 1 })).data, { name: 'g', data: 1 });
  });

  it('are messages, or not', () => {
    assert.ok(
      [user('x'), assistant('x'), assistantText('x'), lastAssistantMessage('x')].every(isMessageFragment),
    );
    assert.ok(!domain.some(([each]) => isMessageFragment(each)));
  });
});

describe('user and assistant', () => {
  it('make a message of a text, under the id given or one of its own', () => {
    assert.deepEqual(toUIMessage(user('Hi', { id: 'q1' })), {
      id: 'q1',
      role: 'user',
      parts: [{ type: 'text', text: 'Hi' }],
    });
    for (const make of [assistant, assistantText]) {
      assert.deepEqual(toUIMessage(make('Ho', { id: 'a1' })), {
        id: 'a1',
        role: 'assistant',
        parts: [{ type: 'text', text: 'Ho' }],
      });
    }
    assert.match(user('Hi').id ?? '', /^[0-9a-f-]{36}$/);
    assert.notEqual(user('Hi').id, user('Hi').id);
  });

  it('take a message of the AI SDK, with or without an id', () => {
    const parts = [{ type: 'text' as const, text: 'Hi' }];
    assert.deepEqual(toUIMessage(user({ id: 'q1', role: 'user', parts })), { id: 'q1', role: 'user', parts });
    assert.equal(user({ id: 'q1', role: 'user', parts }, { id: 'q2' }).id, 'q2');
    assert.match(assistant({ role: 'assistant', parts }).id ?? '', /^[0-9a-f-]{36}$/);
    const metadata = { modelId: 'm' };
    const named = assistant({ role: 'assistant', metadata, parts }, { id: 'a1' });
    assert.deepEqual(toUIMessage(named), { id: 'a1', role: 'assistant', metadata, parts });
  });

  it('are refused where a message is asked for and there is none', () => {
    assert.throws(() => toUIMessage(hint('x')), NotStorableError);
    assert.throws(
      () => toUIMessage({ name: 'user', type: 'message', data: { message: 'Hi' } }),
      NotStorableError,
    );
  });
});

describe('lastAssistantMessage', () => {
  it('becomes an edit of the last answer', () => {
    const lazy = lastAssistantMessage('better');
    assert.equal(isLazyFragment(lazy), true);
    const edit = resolveLazyFragment(lazy, { lastAssistantId: 'a1' });
    assert.equal(isLazyFragment(edit), false);
    assert.equal(edit.id, 'a1');
    assert.equal(textOf(toUIMessage(edit)), 'better');
  });

  it('is a new answer where there is none yet', () => {
    const lazy = lastAssistantMessage('first');
    const settledNew = resolveLazyFragment(lazy, { lastAssistantId: undefined });
    assert.equal(isLazyFragment(settledNew), false);
    assert.equal(settledNew.id, lazy.id);
  });

  it('is still one after it was written to JSON', () => {
    assert.equal(
      isLazyFragment(fragmentSchema.parse(JSON.parse(JSON.stringify(lastAssistantMessage('x'))))),
      true,
    );
  });
});

describe('reminder', () => {
  it('goes with the message to the model, and is taken out again for display', () => {
    const message = toUIMessage(user('Go on.', { id: 'q1' }, reminder('Be brief.'), reminder('Be kind.')));
    assert.deepEqual(
      message.parts.map((part) => part.type === 'text' && part.text),
      [
        'Go on.',
        '<system-reminder>Be brief.</system-reminder>',
        '<system-reminder>Be kind.</system-reminder>',
      ],
    );
    assert.equal(textOf(message), 'Go on.');
    assert.deepEqual(stripReminders(message), toUIMessage(user('Go on.', { id: 'q1' })));
  });

  it('asks each time whether it is wanted', () => {
    let wanted = false;
    const asking = user('Go on.', reminder('Be brief.', { when: () => wanted }));
    assert.equal(toUIMessage(asking).parts.length, 1);
    wanted = true;
    assert.equal(toUIMessage(asking).parts.length, 2);
  });
});

/** Knows whether anything waits for it. */
class WatchedPromise extends Promise<string> {
  isWatched = false;

  override then<A = string, B = never>(
    resolved?: ((value: string) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isWatched = true;
    return super.then(resolved, rejected);
  }
}

describe('settled', () => {
  it('asks functions again each time, in whatever they stand', () => {
    let count = 0;
    const counting = fragment('f', { deep: [(): number => ++count, fragment('g', () => () => ++count)] });
    assert.deepEqual(settled(counting).data, { deep: [1, { name: 'g', type: 'fragment', data: 2 }] });
    assert.deepEqual(settled(counting).data, { deep: [3, { name: 'g', type: 'fragment', data: 4 }] });
  });

  it('leaves out what contains itself, and keeps what merely stands twice', () => {
    const shared = { x: 1 };
    const own: Record<string, unknown> = { a: shared, b: shared };
    own['self'] = own;
    own['list'] = [own, 2];
    assert.deepEqual(settled(fragment('f', own as Record<string, string>)).data, {
      a: { x: 1 },
      b: { x: 1 },
      list: [2],
    });
  });

  it('writes as text what JSON has no word for', () => {
    const data = {
      date: new Date(0),
      noDate: new Date(NaN),
      big: 12345678901234567890n,
      numbers: [NaN, Infinity, -Infinity],
      map: new Map([['k', 'v']]),
      set: new Set(['s']),
      none: undefined,
      nothing: null,
    };
    assert.deepEqual(settled(fragment('f', data)).data, {
      date: '1970-01-01T00:00:00.000Z',
      noDate: 'Invalid Date',
      big: '12345678901234567890',
      numbers: ['NaN', 'Infinity', '-Infinity'],
      map: { k: 'v' },
      set: ['s'],
      nothing: null,
    });
  });

  it('loses nothing of what only JavaScript lets in', () => {
    const data: unknown = [
      new URL('https://example.org/'),
      new Error('broken'),
      Symbol('s'),
      new Uint8Array([1, 2]),
      new Map<unknown, string>([
        [1, 'number'],
        ['1', 'text'],
      ]),
      { type: 'fragment', name: 'Bob', age: 3 },
    ];
    assert.deepEqual(settled(fragment('f', data as string)).data, [
      'https://example.org/',
      'Error: broken',
      'Symbol(s)',
      [1, 2],
      [
        ['1', 'number'],
        ['1', 'text'],
      ],
      { type: 'fragment', name: 'Bob', age: 3 },
    ]);
  });

  it('refuses a promise: it would say nothing', () => {
    const promised: unknown = async (): Promise<string> => Promise.resolve('later');
    assert.throws(() => settled(fragment('f', promised as () => string)), AsyncFragmentError);
  });

  it('is the only one to tell of a promise that fails', () => {
    const seen: WatchedPromise[] = [];
    const failing = (): Promise<string> => {
      const promise = new WatchedPromise((_, reject) => {
        reject(new Error('late'));
      });
      seen.push(promise);
      return promise;
    };
    const lazy = failing as unknown as () => string;
    for (const refused of [
      () => settled(fragment('f', lazy)),
      () => settled(fragment('f', { list: [lazy] })),
      () => settled(reminder(lazy)),
      () => settled(reminder('x', { when: failing as unknown as () => boolean })),
      () => checkedFragment(user({ role: 'user', parts: [{ type: 'text', text: failing() }] })),
    ]) {
      assert.throws(refused, AsyncFragmentError);
    }
    // Those who resolve the fragment are told, and nobody else.
    fragment('f', failing());
    checkedFragment(fragment('f', { deep: [failing()] }));
    assert.deepEqual(
      seen.map(({ isWatched }) => isWatched),
      [true, true, true, true, true, true, true],
    );
  });

  it('leaves plain data as it is', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const data = JSON.parse(json) as FragmentData;
        assert.deepEqual(settled(fragment('f', data)).data, data);
      }),
    );
  });
});
