import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { NodeFiles } from '../../../../src/host/node/nodeFiles.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { Connection, loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { Replica } from '../../../../src/store/durable/replica.ts';
import { readSnapshot, SnapshotSum } from '../../../../src/store/durable/snapshot.ts';
import { StorageFiles } from '../../../../src/store/durable/storageFiles.ts';
import { StoragePlace } from '../../../fixtures/storage/storagePlace.ts';

const CHATS = ['a', 'b', 'c'];
/** Of each chat at least; more where those are not enough for as many snapshots. */
const SAVES = 60;
const SNAPSHOTS = 4;

const countOf = (connection: Connection): unknown =>
  connection.get('SELECT count(*) AS count FROM messages')?.['count'];

/** Compares each snapshot, before it is written, with what the journals lead to that it takes the place of. */
class ComparingFiles extends NodeFiles {
  readonly counts: { readonly ofSnapshot: unknown; readonly ofJournals: unknown }[] = [];

  override async write(file: string, parts: readonly Uint8Array[]): Promise<void> {
    const { crc32, wasm } = nodePlatform('dist');
    const sqlite = await loadSqlite(wasm);
    const bytes = new Uint8Array(Buffer.concat(parts));
    const snapshot = readSnapshot(bytes, new SnapshotSum(crc32));
    const { generation = 0, database } = snapshot ?? {};
    if (generation > 0) {
      const storage = new StorageFiles(this, file.slice(0, file.lastIndexOf('/')));
      const replica = await Replica.load({ sqlite, storage, crc32, before: generation }, true);
      const connection = new Connection(sqlite, database);
      this.counts.push({ ofSnapshot: countOf(connection), ofJournals: countOf(replica.connection) });
      connection.close();
      replica.connection.close();
    }
    await super.write(file, parts);
  }
}

describe('a store on a platform without threads', () => {
  it('makes snapshots of what is in memory while saving goes on, with nothing in them that is not acknowledged', async () => {
    await using place = await StoragePlace.create();
    const files = new ComparingFiles();
    const store = place.open({ journalLimit: 1, platform: { files, snapshots: undefined } });
    await Promise.all(
      CHATS.map(async (chatId) => {
        const engine = new ContextEngine({ store, chatId, userId: 'ann' });
        for (let index = 0; index < SAVES || files.counts.length < SNAPSHOTS; index++) {
          await engine.set(user(`question ${index}`), assistant(`answer ${index}`)).save();
          // So that one is saved while another waits.
          await delay(Math.random() * 3);
        }
        await engine.close();
      }),
    );
    await store.close();
    assert.deepEqual([place.errors, place.reports], [[], []]);
    for (const { ofSnapshot, ofJournals } of files.counts) assert.equal(ofSnapshot, ofJournals);
  });

  it('makes the last one when it is closed', async () => {
    await using place = await StoragePlace.create();
    const store = place.open({ platform: { snapshots: undefined } });
    const engine = new ContextEngine({ store, chatId: 'a', userId: 'ann' });
    await engine.set(user('a question'), assistant('the answer')).save();
    await engine.close();
    await store.close();
    const file = await readFile(place.file('offshoot.db'));
    assert.ok(file.includes('the answer'));
  });
});
