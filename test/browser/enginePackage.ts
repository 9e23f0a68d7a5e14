// The packed engine, as a page has it that was bundled with the package installed. It is bundled apart from the other
// tests, with what npm installed in place of our sources.
import {
  ContextEngine,
  InMemoryContextStore,
  user,
  WasmNotLoadedError,
  type WasmSource,
} from 'offshoot-engine';
import assert from './assert.ts';

async function countAfterSave(wasm?: WasmSource): Promise<number> {
  const store = new InMemoryContextStore(wasm === undefined ? {} : { wasm });
  const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
  await context.set(user('hello')).save();
  const { messages } = await context.resolve();
  await store.close();
  return messages.length;
}

describe('the package of the engine', () => {
  it('finds SQLite next to the bundle, at an address, and in bytes it is given', async () => {
    const bytes = new Uint8Array(await (await fetch('/elsewhere.wasm')).arrayBuffer());
    for (const wasm of [undefined, '/elsewhere.wasm', new URL('/elsewhere.wasm', location.href), bytes]) {
      assert.equal(await countAfterSave(wasm), 1);
    }
  });

  it('says where it looked when SQLite is not there, or something else is', async () => {
    for (const address of ['/nowhere.wasm', '/', 'http://127.0.0.1:1/sql-wasm.wasm']) {
      await assert.rejects(countAfterSave(address), (error) => {
        assert.ok(error instanceof WasmNotLoadedError);
        assert.equal(error.code, 'wasm-not-loaded');
        assert.equal(error.address, address);
        assert.ok(error.message.includes(address) && error.message.includes('"wasm"'), error.message);
        return true;
      });
    }
  });

  it('rewinds, keeps artifacts and counts tokens as it does in Node', async () => {
    const store = new InMemoryContextStore();
    const context = new ContextEngine({ store, chatId: 'c', userId: 'u' });
    context.set(user('Draft it', { id: 'q1' })).state.set('stage', 'draft');
    await context.artifacts.save('plan', new Uint8Array([1]), { mediaType: 'text/plain' });
    await context.save();
    context.set(user('Finish it', { id: 'q2' })).state.set('stage', 'done');
    await context.artifacts.save('plan', new Uint8Array([2]), { mediaType: 'text/plain' });
    await context.save();
    assert.equal((await context.rewindBefore('q2')).name, 'main-v2');
    assert.equal(await context.state.get('stage'), 'draft');
    assert.deepEqual((await context.artifacts.load('plan'))?.data, new Uint8Array([1]));
    assert.ok((await context.estimate({ modelId: 'openai:gpt-4o' })).tokens > 0);
    await store.close();
  });

  it('runs the program of its README for browsers', async () => {
    const printed: string[] = [];
    const { log } = console;
    console.log = (...values: unknown[]) => void printed.push(values.join(' '));
    try {
      // Bundled with this file, and done when it is loaded.
      const program = '/engine-readme.js';
      const { expected } = (await import(program)) as { expected: readonly string[] };
      assert.ok(expected.length > 0);
      assert.deepEqual(printed, expected);
    } finally {
      console.log = log;
    }
  });
});
