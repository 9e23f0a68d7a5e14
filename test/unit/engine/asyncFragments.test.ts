import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { deferred } from '../../../src/base/deferred.ts';
import type { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { AsyncFragmentError, ClosedError, FragmentLoadError } from '../../../src/engine/errors.ts';
import {
  fragment,
  hint,
  role,
  user,
  type FragmentData,
  type FragmentValue,
} from '../../../src/engine/fragments/index.ts';
import { XmlRenderer } from '../../../src/engine/renderers/xml.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { useEngines } from '../../fixtures/useEngines.ts';

const promptOf = async (context: ContextEngine): Promise<string> => (await context.resolve()).systemPrompt;

async function* items(...all: readonly FragmentData[]): AsyncGenerator<FragmentData> {
  for (const item of all) {
    await Promise.resolve();
    yield item;
  }
}

describe('a fragment with something that comes later', () => {
  const { engine } = useEngines(memoryStore);
  const withData = (data: FragmentData): ContextEngine => engine().set(fragment('docs', data));

  for (const [what, make] of Object.entries<() => FragmentData>({
    'a promise': () => Promise.resolve('text'),
    'an async function': () => async () => Promise.resolve('text'),
    'a function that returns a promise': () => () => Promise.resolve('text'),
    'a function that returns a function that returns a promise': () => () => () => Promise.resolve('text'),
    'a promise of a function': () => Promise.resolve(() => 'text'),
    'what a database client awaits': () => new Query('text'),
  })) {
    it(`is what ${what} comes to, wherever it stands`, async () => {
      assert.equal(await promptOf(withData(make())), '<docs>text</docs>');
      const deep = withData([fragment('a', new Map([['b', [make(), 'more']]])), { c: new Set([make()]) }]);
      assert.equal(
        await promptOf(deep),
        await promptOf(withData([fragment('a', { b: ['text', 'more'] }), { c: ['text'] }])),
      );
    });
  }

  it('is a list of what an async iterable gives', async () => {
    const list = await promptOf(withData(['a', fragment('b', 'c')]));
    for (const data of [
      items('a', fragment('b', 'c')),
      () => items('a', () => Promise.resolve(fragment('b', 'c'))),
      { [Symbol.asyncIterator]: () => items('a', null, fragment('b', 'c'), undefined) },
    ]) {
      assert.equal(await promptOf(withData(data)), list);
    }
  });

  it('leaves out what comes to nothing, and what holds itself', async () => {
    const members: Record<string, FragmentData> = { kept: 'yes', none: Promise.resolve(null) };
    members['nothing'] = async () => Promise.resolve(undefined);
    members['itself'] = Promise.resolve(members);
    assert.equal(await promptOf(withData(members)), await promptOf(withData({ kept: 'yes' })));
    const empty = engine().set(fragment('gone', Promise.resolve(undefined)), hint('Be brief.'));
    assert.equal(await promptOf(empty), '<hint>Be brief.</hint>');
  });

  it('takes a plain object with a function called "then" for data', async () => {
    const rule = { if: 'late', then: () => 'hurry' };
    assert.equal(await promptOf(withData(rule)), await promptOf(withData({ if: 'late', then: 'hurry' })));
    assert.match(withData(rule).render(new XmlRenderer()), /hurry/);
  });

  it('is loaded once for each call, a promise and the items of a generator once for all', async () => {
    let calls = 0;
    const context = engine().set(
      fragment('each', async () => Promise.resolve(++calls)),
      fragment('once', items('a', 'b')),
      fragment('promised', Promise.resolve('c')),
      fragment('again', { [Symbol.asyncIterator]: () => items(++calls) }),
    );
    assert.match(await promptOf(context), /<each>1<.*a.*b.*c.*2/s);
    const { rendered, fragments } = await context.inspect({ modelId: 'openai:gpt-4o' });
    assert.match(rendered, /<each>3<.*a.*b.*c.*4/s);
    assert.deepEqual(
      fragments.context.map(({ data }) => data),
      [3, ['a', 'b'], 'c', [4]],
    );
    assert.ok((await context.estimate({ modelId: 'openai:gpt-4o' })).tokens > 0);
    assert.equal(calls, 6);
  });

  it('is waited for next to the others, each given a signal', async () => {
    const [one, other] = [deferred<string>(), deferred<string>()];
    const context = engine().set(
      fragment('one', ({ signal }) => {
        other.resolve(`from one, aborted: ${signal.aborted}`);
        return one.promise;
      }),
      fragment('other', {
        deep: async () => {
          one.resolve('from the other');
          return other.promise;
        },
      }),
    );
    assert.match(await promptOf(context), /from the other.*from one, aborted: false/s);
  });

  it('is resolved as it was when the messages were', async () => {
    const begun = deferred<undefined>();
    const loaded = deferred<string>();
    const facts = ['a'];
    const context = engine().set(
      fragment('facts', facts),
      fragment('late', async () => {
        begun.resolve(undefined);
        return loaded.promise;
      }),
      user('q1'),
    );
    const resolving = context.resolve();
    await begun.promise;
    facts.push('b');
    context.set(role('late'), user('q2'));
    loaded.resolve('text');
    const { systemPrompt, messages } = await resolving;
    assert.doesNotMatch(systemPrompt, /b<|role/);
    assert.equal(messages.length, 1);
  });

  it('is refused where nothing waits for it', () => {
    for (const data of [
      Promise.resolve('x'),
      async () => Promise.resolve('x'),
      items('x'),
      [{ deep: () => items('x') }],
      new Query('x'),
    ]) {
      assert.throws(() => withData(data).render(new XmlRenderer()), AsyncFragmentError);
    }
  });

  it('is bounded in depth', async () => {
    let data: FragmentData = 'x';
    for (let level = 0; level < 600; level++) {
      const inner: FragmentData = data;
      data = () => Promise.resolve([inner]);
    }
    await assert.rejects(withData(data).resolve(), { code: 'not-storable' });
    const endless = (): FragmentValue => () => Promise.resolve(endless());
    await assert.rejects(withData(endless()).resolve(), { code: 'not-storable' });
  });
});

describe('a fragment that cannot be loaded', () => {
  const { engine } = useEngines(memoryStore);
  const cause = new Error('no such file');
  /** Long enough for an unhandled rejection, which fails the test. */
  const turns = async (): Promise<void> => {
    for (let count = 0; count < 5; count++) await delay(0);
  };

  for (const [how, make] of Object.entries<() => FragmentData>({
    'a promise that has failed': () => Promise.reject<string>(cause),
    'an async function': () => async () => Promise.reject<string>(cause),
    'a function that throws': () => () => {
      throw cause;
    },
    'an async iterable': () => failingItems(cause),
    'something in what came': () => Promise.resolve([{ deep: Promise.reject<string>(cause) }]),
    'something in what a function gave': () => async () =>
      Promise.resolve([{ deep: Promise.reject<string>(cause) }]),
  })) {
    it(`is named with its cause: ${how}`, async () => {
      const context = engine().set(fragment('outer', fragment('docs', make())), user('q1'));
      await turns();
      for (const call of [
        () => context.resolve(),
        () => context.estimate({ modelId: 'openai:gpt-4o' }),
        () => context.inspect({ modelId: 'openai:gpt-4o' }),
      ]) {
        await assert.rejects(call(), (error: unknown) => {
          assert.ok(error instanceof FragmentLoadError);
          assert.deepEqual([error.code, error.fragment, error.cause], ['fragment-not-loaded', 'docs', cause]);
          assert.match(error.message, /docs.*no such file/);
          return true;
        });
      }
      await turns();
      // It concerns no message.
      await context.save();
      assert.equal((await context.getMessages()).length, 1);
    });
  }

  it('is told of once, however many fail, before and after', async () => {
    const late = deferred<string>();
    const context = engine().set(
      fragment('first', Promise.reject<string>(cause)),
      fragment('second', async () => late.promise),
      fragment('third', [() => Promise.reject<string>(cause), Promise.reject<string>(cause)]),
      fragment('fourth', () => {
        throw cause;
      }),
    );
    await turns();
    await assert.rejects(context.resolve(), FragmentLoadError);
    late.reject(cause);
    await turns();
  });

  it('is loaded again by the next call', async () => {
    let isThere = false;
    const context = engine().set(
      fragment('docs', async () => (isThere ? Promise.resolve('text') : Promise.reject<string>(cause))),
    );
    await assert.rejects(context.resolve(), FragmentLoadError);
    isThere = true;
    assert.equal(await promptOf(context), '<docs>text</docs>');
  });
});

describe('a call that waits for fragments', () => {
  const { engine } = useEngines(memoryStore);
  const reason = new Error('the user left');

  it('is aborted at once, and so is what functions do for it', async () => {
    let begun = deferred<AbortSignal>();
    const context = engine().set(
      fragment('docs', ({ signal }) => {
        begun.resolve(signal);
        return new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(new Error('stopped'));
          });
        });
      }),
    );
    for (const call of [
      (signal: AbortSignal) => context.resolve({ signal }),
      (signal: AbortSignal) => context.estimate({ modelId: 'openai:gpt-4o', signal }),
      (signal: AbortSignal) => context.inspect({ modelId: 'openai:gpt-4o', signal }),
    ]) {
      const control = new AbortController();
      begun = deferred();
      const calling = call(control.signal);
      const given = await begun.promise;
      // A call after it would wait for it.
      const queued = context.resolve({ signal: control.signal });
      control.abort(reason);
      for (const each of [calling, queued]) await assert.rejects(each, reason);
      assert.equal(given.aborted, true);
      await assert.rejects(call(AbortSignal.abort(reason)), reason);
    }
  });

  it('does not hold up the calls after it once it is aborted', async () => {
    const context = engine().set(fragment('docs', new Promise<string>(() => undefined)), user('q1'));
    const control = new AbortController();
    const resolving = context.resolve({ signal: control.signal });
    const saving = context.save();
    control.abort(reason);
    await assert.rejects(resolving, reason);
    assert.equal((await saving).messageIds.length, 1);
  });

  it('saves nothing when it was aborted before', async () => {
    const context = engine().set(user('q1', { id: 'q1' }));
    await assert.rejects(context.save({ signal: AbortSignal.abort(reason) }), reason);
    assert.deepEqual(
      context.pending.list().map(({ id }) => id),
      ['q1'],
    );
    assert.deepEqual((await context.save()).messageIds, ['q1']);
  });

  it('ends when the engine is closed', async () => {
    const context = engine().set(fragment('docs', new Promise<string>(() => undefined)));
    const calls = [context.resolve(), context.inspect({ modelId: 'openai:gpt-4o' })];
    const ends = Promise.all(calls.map((call) => assert.rejects(call, ClosedError)));
    await context.close();
    await ends;
  });
});

/** Begins each time something waits for it. */
class Query {
  constructor(private readonly answer: string) {}

  then<A = string, B = never>(
    resolved?: ((value: string) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return Promise.resolve(this.answer).then(resolved, rejected);
  }
}

async function* failingItems(cause: Error): AsyncGenerator<FragmentData> {
  await Promise.resolve();
  yield 'the first';
  throw cause;
}
