import assert from 'node:assert/strict';
import { TypedSearch } from '../../../src/extension/tree/typedSearch.ts';
import { ManualScheduler } from '../../worlds/agentWorld.ts';

/** @param known what is found at a rest; more is in a pause */
function typing(known: Readonly<Record<string, readonly string[]>>) {
  const scheduler = new ManualScheduler();
  const asked: string[] = [];
  const shown: string[] = [];
  const search = new TypedSearch<string>({
    find: (query, isTyping) => {
      asked.push(isTyping ? query : `${query}, wholly`);
      const found = known[query] ?? [];
      return Promise.resolve(isTyping ? found : [...found, 'more']);
    },
    show: (found, isWhole) => shown.push(`${found.join()}${isWhole ? '' : '…'}`),
    failed: (error) => shown.push(String(error)),
    scheduler,
  });
  const pass = async (milliseconds: number): Promise<void> => {
    scheduler.pass(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { search, asked, shown, pass };
}

describe('a search while one types', () => {
  it('is quick at each rest, and whole in a pause', async () => {
    const { search, asked, shown, pass } = typing({ boat: ['a boat'] });
    search.type('bo');
    await pass(50);
    search.type('boa');
    await pass(80);
    search.type('boat');
    await pass(80);
    await pass(219);
    assert.deepEqual(asked, ['boa', 'boat']);
    await pass(1);
    await pass(1_000);
    assert.deepEqual(asked, ['boa', 'boat', 'boat, wholly']);
    assert.deepEqual(shown, ['…', 'a boat…', 'a boat,more']);
  });

  it('finds nothing for nothing, and nothing more once it is closed', async () => {
    const { search, asked, shown, pass } = typing({});
    search.type(' ');
    await pass(80);
    search.type('x');
    await pass(80);
    search.dispose();
    await pass(1_000);
    assert.deepEqual(
      [asked, shown],
      [
        [' ', 'x'],
        ['', '…'],
      ],
    );
  });
});
