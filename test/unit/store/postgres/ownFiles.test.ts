import assert from 'node:assert/strict';
import { setBranchFiles } from '../../../../src/conversation/setBranchFiles.ts';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import type {
  KnownOwnFiles as Known,
  KnownOwnFilesOptions,
} from '../../../../src/extension/files/knownOwnFiles.ts';
import type { OwnFiles as Own } from '../../../../src/extension/files/ownFiles.ts';
import type { BranchFilesRecord } from '../../../../src/host/branchFiles.ts';
import { machineWith, madeFiles, ownFilesStub } from '../../../fixtures/ownFilesStub.ts';
import { databases } from '../../../fixtures/postgres/databases.ts';
import { RoleClients } from '../../../fixtures/postgres/roleClients.ts';
import { withVsCodeStub } from '../../../fixtures/vscodeStub.ts';

const CHAT = 'chat';

describe('files of a branch whose chat is in a store that several machines share', () => {
  let KnownOwnFiles: typeof Known;
  let OwnFiles: typeof Own;
  let url: (role?: string) => string;
  const clients = new RoleClients((role) => url(role));

  before(async () => {
    const load = async () => ({
      ...(await import('../../../../src/extension/files/knownOwnFiles.ts')),
      ...(await import('../../../../src/extension/files/ownFiles.ts')),
    });
    ({ KnownOwnFiles, OwnFiles } = await withVsCodeStub(load, ownFilesStub));
    await databases.addPeople('ana', 'bob');
  });
  beforeEach(async () => {
    url = await databases.create();
  });
  afterEach(async () => {
    await clients.close();
    databases.giveBack(url());
  });

  /** A user at a machine of their own, which has these files. */
  function userAt(userId: string, records: readonly BranchFilesRecord[]) {
    const store = clients.store(userId);
    const unexpected = (...told: unknown[]): never => assert.fail(told.join(' '));
    const options = {
      host: machineWith(() => records),
      folder: 'file:///storage',
      settings: { get: () => ({}) },
      labelOf: () => Promise.resolve('Try'),
      log: { warn: unexpected, error: unexpected },
      store,
      storeAddress: 'postgres://a/b',
    } as unknown as Omit<KnownOwnFilesOptions, 'onDidChange'>;
    const ownFiles = new OwnFiles({ ...options, load: () => Promise.resolve(KnownOwnFiles) });
    const parts = { store, userId, runs: { get: () => undefined } };
    return {
      store,
      set: (id: string) => setBranchFiles(parts, CHAT, 'main', id),
      text: async () => {
        const branch = (await store.getBranch(CHAT, 'main')) ?? assert.fail('there is no branch');
        return (await (await ownFiles.knownOf(CHAT))?.describe(branch))?.text;
      },
      run: async () => {
        const engine = new ContextEngine({ store, chatId: CHAT, userId, branch: 'main' });
        try {
          const about = { chatId: CHAT, branch: 'main', state: engine.state };
          return (await ownFiles.ofRun(about, () => () => []))?.id;
        } finally {
          await engine.close();
        }
      },
      [Symbol.dispose]: () => ownFiles.dispose(),
    };
  }

  it('stay on the machine where they were made, and every other one says so and refuses to work there', async () => {
    using ana = userAt('ana', [madeFiles]);
    using bob = userAt('bob', []);
    const engine = new ContextEngine({ store: ana.store, chatId: CHAT, userId: 'ana' });
    await engine.set(user('question'), assistant('answer')).save();
    await engine.close();
    await ana.store.shareChat(CHAT, 'write');
    assert.deepEqual([await ana.text(), await bob.text()], [undefined, undefined]);

    await ana.set(madeFiles.id);
    assert.match((await ana.text()) ?? '', /^own files/u);
    assert.equal(await bob.text(), 'files not on this machine');
    assert.equal(await ana.run(), madeFiles.id);
    await assert.rejects(bob.run(), { code: 'branch-files-elsewhere' });
  });

  it('are those that were made last', async () => {
    using ana = userAt('ana', [madeFiles]);
    using bob = userAt('bob', [{ ...madeFiles, id: 'of bob' }]);
    const engine = new ContextEngine({ store: ana.store, chatId: CHAT, userId: 'ana' });
    await engine.set(user('question'), assistant('answer')).save();
    await engine.close();
    await ana.store.shareChat(CHAT, 'write');
    await ana.set(madeFiles.id);
    await bob.set('of bob');
    assert.equal(await ana.text(), 'files not on this machine');
    assert.match((await bob.text()) ?? '', /^own files/u);
    await assert.rejects(ana.run(), { code: 'branch-files-elsewhere' });
  });
});
