import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import {
  fragment,
  glossary,
  hint,
  user,
  type Fragment,
  type FragmentData,
} from '../../../src/engine/fragments/index.ts';
import type { JsonObject, JsonValue } from '../../../src/engine/json.ts';
import type { UIMessage } from '../../../src/engine/uiMessage.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { allRenderers } from '../../fixtures/allRenderers.ts';
import { stores } from '../../fixtures/stores.ts';

const oddNames = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];
/** An object with own members of those names. */
const odd = (value: JsonValue): Record<string, JsonValue> =>
  Object.fromEntries(oddNames.map((name) => [name, value]));
const nested = (depth: number): JsonValue => {
  let value: JsonValue = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { x: value };
  return value;
};
const tool = (input: JsonValue): Fragment =>
  user({ id: 'q1', role: 'user', parts: [{ type: 'data-x', data: input }] });
const renderers = allRenderers();
const groupingRenderers = allRenderers({ groupFragments: true });

for (const [place, open] of Object.entries(stores)) {
  describe(`plain data in an engine, ${place}`, () => {
    let store: ContextStore;
    let context: ContextEngine;
    const engine = (): ContextEngine => new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    beforeEach(async () => {
      store = await open();
      context = engine();
    });
    afterEach(() => store.close());

    it('keeps members of any name in state, metadata, messages and usage', async () => {
      for (const name of oddNames) context.state.set(name, odd(name));
      context.state.set('user:__proto__', 1);
      await context.updateChat({ metadata: odd('m') });
      await context.trackUsage(odd(2));
      await context.trackUsage(odd(3));
      const part = { ...odd(1), type: 'data-x', data: odd({ y: 1 }) };
      await context.set(user({ id: 'q1', role: 'user', metadata: odd('n'), parts: [part] })).save();
      const again = engine();
      const expected = new Map<string, JsonValue>([
        ...oddNames.map((name) => [name, odd(name)] as const),
        ['user:__proto__', 1],
      ]);
      assert.deepEqual(
        await again.state.entries(),
        [...expected].sort(([a], [b]) => (a < b ? -1 : 1)),
      );
      assert.deepEqual(await again.state.get('__proto__'), odd('__proto__'));
      const { usage, ...metadata } = (await store.getChat('chat'))?.metadata ?? {};
      assert.deepEqual(metadata, odd('m'));
      assert.deepEqual(usage, odd(5));
      const [message] = (await again.resolve()).messages;
      assert.deepEqual([message?.metadata, message?.parts], [odd('n'), [part]]);
      // And once more through a file.
      const [id] = await store.importChats('ann', [
        JSON.parse(JSON.stringify(await store.exportChat('chat'))) as Awaited<
          ReturnType<typeof store.exportChat>
        >,
      ]);
      const imported = new ContextEngine({ store, chatId: id ?? '', userId: 'ann' });
      assert.deepEqual(await imported.state.get('__proto__'), odd('__proto__'));
      assert.deepEqual(imported.chat?.metadata['__proto__'], 'm');
    });

    it('deletes a state key of any name', async () => {
      for (const name of oddNames) context.state.set(name, 1);
      await context.save();
      for (const name of oddNames) context.state.delete(name);
      await context.save();
      assert.deepEqual(await engine().state.entries(), []);
    });

    it('is handed out as a copy: changing it changes nothing', async () => {
      context.state.set('list', [1]);
      await context.updateChat({ metadata: { tags: ['a'] } });
      await context.set(user('saved', { id: 'q1' })).save();
      context.set(user('pending', { id: 'q2' }));
      const spoil = (messages: UIMessage[]): void => {
        for (const message of messages) {
          for (const part of message.parts) if (part.type === 'text') part.text = 'spoilt';
          message.parts.push({ type: 'text', text: 'more' });
          message.id = 'other';
        }
        messages.pop();
      };
      const [one, before] = [await context.resolve(), await context.resolve()];
      spoil(one.messages);
      assert.deepEqual((await context.resolve()).messages, before.messages);
      assert.deepEqual(
        before.messages.map(({ id, content }) => [id, content]),
        [
          ['q1', 'saved'],
          ['q2', 'pending'],
        ],
      );
      const { fragments } = await context.inspect({ modelId: 'm' });
      spoil(fragments.persisted as UIMessage[]);
      spoil(fragments.pending as UIMessage[]);
      spoil(context.pending.list());
      ((await context.state.get('list')) as number[]).push(2);
      for (const [, value] of await context.state.entries()) (value as number[]).push(2);
      (context.chat?.metadata['tags'] as string[]).push('b');
      assert.deepEqual((await context.resolve()).messages, before.messages);
      assert.deepEqual(await context.state.get('list'), [1]);
      assert.deepEqual(context.chat?.metadata, { tags: ['a'] });
    });

    it('is copied when it is given: what the caller does to its own afterwards changes nothing', async () => {
      const metadata = { tags: ['a'] };
      const options = { store, chatId: 'chat', userId: 'ann', metadata };
      context = new ContextEngine(options);
      metadata.tags.push('spoilt');
      options.chatId = 'other';
      const part = { type: 'data-x', data: { list: [1] } };
      const message = { id: 'q1', role: 'user' as const, metadata: { n: 1 }, parts: [part] };
      context.set(user(message));
      const change = { folder: 'file:///w', path: 'a.ts', before: null, after: null, at: 1 };
      context.files.add(change);
      const spoil = (): void => {
        part.data.list.push(2);
        message.metadata.n = 2;
        message.parts.push(part);
        message.id = 'other';
        change.path = 'other.ts';
      };
      spoil();
      const turn = { invocationId: 'turn' };
      const saving = context.save(turn);
      turn.invocationId = 'other';
      await saving;
      const usage = { inputTokens: 1 };
      const tracking = context.trackUsage(usage);
      usage.inputTokens = 5;
      const changes = { metadata: { more: ['b'] } };
      const updating = context.updateChat(changes);
      changes.metadata.more.push('spoilt');
      await Promise.all([tracking, updating]);
      const saved = await store.getMessage('chat', 'q1');
      const parts = [{ type: 'data-x', data: { list: [1] } }];
      assert.deepEqual(saved?.data, { id: 'q1', role: 'user', metadata: { n: 1 }, parts });
      assert.equal(saved.invocationId, 'turn');
      assert.equal((await store.listFileChanges('chat'))[0]?.files[0]?.path, 'a.ts');
      assert.deepEqual((await store.getChat('chat'))?.metadata, {
        tags: ['a'],
        more: ['b'],
        usage: { inputTokens: 1 },
      });
      assert.deepEqual((await context.resolve()).messages[0]?.parts, parts);
    });

    it('is the same before and after it is saved, and a zero has no sign', async () => {
      context.state.set('zero', { list: [-0] });
      context.set(tool([-0]));
      const seen = async () => {
        const [message] = (await context.resolve()).messages;
        return [await context.state.get('zero'), message?.parts];
      };
      const before = await seen();
      assert.deepEqual(before, [{ list: [0] }, [{ type: 'data-x', data: [0] }]]);
      await context.save();
      assert.deepEqual(await seen(), before);
      context = engine();
      assert.deepEqual(await seen(), before);
    });

    it('is refused when it cannot be read, before anything is stored', async () => {
      const failing = {
        get text(): JsonValue {
          throw new Error('mine');
        },
      };
      const unreadable = { code: 'not-storable', message: /cannot be read/ };
      for (const value of [revoked<JsonObject>({}), failing]) {
        assert.throws(() => context.state.set('k', { x: [value] }), { ...unreadable, path: 'k.x[0]' });
        await assert.rejects(context.updateChat({ metadata: { value } }), unreadable);
        await assert.rejects(
          context.updateChat(() => ({ metadata: { value } })),
          unreadable,
        );
        const metadata = { value };
        const other = new ContextEngine({ store, chatId: 'other', userId: 'ann', metadata });
        await assert.rejects(other.save(), unreadable);
      }
      assert.throws(() => context.set(hint('first'), tool(revoked<JsonObject>({}))), {
        code: 'not-storable',
      });
      assert.throws(() => context.set(fragment('f', [revoked(hint('revoked'))])), { code: 'not-storable' });
      assert.throws(() => context.set(revoked(hint('revoked'))), { code: 'invalid-argument' });
      assert.throws(() => user(revoked<UIMessage>({ id: 'q', role: 'user', parts: [] })), {
        code: 'invalid-argument',
      });
      for (const call of [
        () => context.trackUsage(revoked<JsonObject>({})),
        () => context.artifacts.save('f', revoked(new Uint8Array()), { mediaType: 'a/b' }),
        () => context.artifacts.save('f', new Uint8Array(), { mediaType: undefined as unknown as string }),
      ]) {
        await assert.rejects(call, { code: 'invalid-argument' }, String(call));
      }
      const change = { folder: 'file:///w', path: 'a', before: null, after: null, at: Number.NaN };
      assert.throws(() => context.files.add(change), { code: 'not-storable', path: 'file change.at' });
      assert.deepEqual(context.pending.list(), []);
      assert.equal(context.hasPendingChanges, false);
      assert.equal((await context.resolve()).systemPrompt, '');
      assert.equal(await store.getChat('other'), undefined);
    });

    it('may be nested 490 levels deep, and comes back as it was', async () => {
      const deep = nested(490);
      context.state.set('k', deep);
      context.state.set('user:k', deep);
      await context.updateChat({ metadata: { deep } });
      await context.set(tool(deep)).save();
      const again = engine();
      assert.deepEqual(await again.state.get('k'), deep);
      assert.deepEqual(await again.state.get('user:k'), deep);
      assert.deepEqual((await again.resolve()).messages[0]?.parts, [{ type: 'data-x', data: deep }]);
      assert.deepEqual((await store.getChat('chat'))?.metadata['deep'], deep);
      const [id] = await store.importChats('ann', [await store.exportChat('chat')]);
      assert.deepEqual((await store.getChat(id ?? ''))?.metadata['deep'], deep);
    });

    for (const depth of [501, 2_000, 5_000, 100_000]) {
      it(`is refused when it is nested ${depth} levels deep, before anything is stored`, async () => {
        const deep = nested(depth);
        const tooDeep = { code: 'not-storable', message: /nested more than 500 levels deep/ };
        assert.throws(() => context.state.set('k', deep), tooDeep);
        assert.throws(() => context.state.set('user:k', deep), tooDeep);
        assert.throws(() => context.set(hint('first'), tool(deep)), tooDeep);
        assert.throws(() => context.set(fragment('f', deep)), tooDeep);
        await assert.rejects(context.updateChat({ metadata: { deep } }), tooDeep);
        await assert.rejects(
          context.updateChat(() => ({ metadata: { deep } })),
          tooDeep,
        );
        const metadata = { deep };
        await assert.rejects(
          new ContextEngine({ store, chatId: 'other', userId: 'ann', metadata }).save(),
          tooDeep,
        );
        assert.deepEqual(context.pending.list(), []);
        assert.equal((await context.resolve()).systemPrompt, '');
        assert.equal(await store.getChat('other'), undefined);
      });
    }
  });
}

/** What throws whatever is done with it. */
function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

describe('plain data in renderers', () => {
  it('is refused when it cannot be read', () => {
    const held: readonly FragmentData[] = [
      revoked(hint('revoked')),
      { x: [revoked(hint('revoked'))] },
      () => revoked(hint('revoked')),
    ];
    for (const renderer of renderers) {
      for (const data of held) {
        assert.throws(() => renderer.render([fragment('f', data)]), { code: 'not-storable' });
      }
    }
  });

  it('keeps members of any name', () => {
    for (const renderer of [...renderers, ...groupingRenderers]) {
      const text = renderer.render([fragment('f', odd('kept')), glossary({ ['__proto__']: 'root' })]);
      for (const name of [...oddNames]) assert.ok(text.includes(name), `${name} in ${text}`);
      assert.equal(text.match(/kept/g)?.length, oddNames.length, text);
    }
  });

  it('may be nested 490 levels deep', () => {
    for (const renderer of [...renderers, ...groupingRenderers]) {
      assert.match(renderer.render([fragment('f', nested(490))]), /deep/);
      let fragments = fragment('f', 'deep');
      for (let level = 0; level < 200; level++) fragments = fragment('f', fragments);
      assert.match(renderer.render([fragments]), /deep/);
    }
  });

  it('is refused when it is nested deeper, also where functions nest it', () => {
    const endless = (): FragmentData => ({ again: () => endless() });
    for (const data of [nested(5_000) as FragmentData, endless]) {
      for (const renderer of renderers) {
        assert.throws(() => renderer.render([fragment('f', data)]), { code: 'not-storable' });
      }
    }
  });
});

describe('what an engine is not given', () => {
  it('is named, and said what to do about', async () => {
    const [open] = Object.values(stores);
    const store = await open?.();
    const make =
      (options: object): (() => ContextEngine) =>
      () =>
        new ContextEngine(options as ConstructorParameters<typeof ContextEngine>[0]);
    const whole = { store, chatId: 'c', userId: 'u' };
    for (const [left, what] of [
      ['store', /store/],
      ['chatId', /chat id/],
      ['userId', /user id/],
    ] as const) {
      for (const value of left === 'store' ? [undefined, null, {}] : [undefined, null, 5, '  ']) {
        assert.throws(make({ ...whole, [left]: value }), { code: 'invalid-argument', message: what });
      }
    }
    assert.throws(() => new (ContextEngine as new () => ContextEngine)(), { code: 'invalid-argument' });
    const context = make(whole)();
    const nothing = undefined as unknown as string;
    for (const call of [
      () => context.rewind(nothing),
      () => context.rewindBefore(nothing),
      () => context.rewindBefore({ invocationId: nothing }),
      () => context.checkpoint(nothing),
      () => context.restore(nothing),
      () => context.switchBranch(nothing),
      () => context.state.get(nothing),
      () => context.artifacts.save(nothing, new Uint8Array(), { mediaType: 'a/b' }),
      () => context.artifacts.save('f', 'text' as unknown as Uint8Array, { mediaType: 'a/b' }),
    ]) {
      await assert.rejects(call, { code: 'invalid-argument' }, String(call));
    }
    for (const given of [undefined, null, 'text', {}]) {
      assert.throws(() => context.set(given as Fragment), { code: 'invalid-argument' });
    }
    await store?.close();
  });
});
