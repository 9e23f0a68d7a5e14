import assert from 'node:assert/strict';
import { setBranchFiles } from '../../../src/conversation/setBranchFiles.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { FilesAtPoints } from '../../../src/extension/files/filesAtPoints.ts';
import { countedCalls } from '../../fixtures/countedCalls.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';

const CHAT = 'chat';

describe('which files of their own the points of a conversation belong to', () => {
  const store = memoryStore();
  after(() => store.close());
  const set = (branch: string, id: string | undefined): Promise<void> =>
    setBranchFiles({ store, userId: 'me', runs: { get: () => undefined } }, CHAT, branch, id);
  const ask = async (branch: string, id: string): Promise<void> => {
    const engine = new ContextEngine({ store, chatId: CHAT, userId: 'me', branch, branchNames: 'flat' });
    await engine.set(user('do it', { id }), assistant('done', { id: `${id} answered` })).save();
    await engine.close();
  };
  const fork = async (from: string, at: string, branch: string): Promise<void> => {
    void (await store.createBranch({ chatId: CHAT, name: branch, from, headMessageId: at, userId: 'me' }));
  };

  it('is read once for all branches, without their paths, and then only what is new', async () => {
    const { counted, calls } = countedCalls(store);
    const points = new FilesAtPoints(counted);
    const all = async (): Promise<Record<string, string | undefined>> => {
      const branches = await store.listBranches(CHAT);
      const ids = await Promise.all(
        branches.map(async (each) => [each.name, await points.idAt(each)] as const),
      );
      return Object.fromEntries(ids);
    };
    await ask('main', 'one');
    await fork('main', 'one answered', 'own');
    await set('own', 'files');
    await ask('own', 'two');
    await fork('own', 'two answered', 'from it');
    await ask('from it', 'three');
    await fork('own', 'one answered', 'before it');
    await ask('before it', 'four');
    await fork('own', 'two answered', 'kept');
    await set('kept', undefined);
    const expected = {
      main: undefined,
      own: 'files',
      'from it': 'files',
      'before it': undefined,
      kept: undefined,
    };
    assert.deepEqual(await all(), expected);
    assert.deepEqual(calls.toSorted(), ['getMessage', 'getMessage', 'getSkeleton']);
    assert.deepEqual(await all(), expected);
    await set('main', 'other');
    assert.deepEqual(await all(), { ...expected, main: 'other' });
    assert.deepEqual(calls.slice(3), ['getSkeleton', 'getMessage']);
    assert.equal(await points.idAt({ chatId: CHAT, headMessageId: null }), undefined);
  });
});
