import assert from 'node:assert/strict';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32, nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { Connection, loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import type { StorageAccess } from '../../../../src/store/durable/storageErrors.ts';
import { JournalPosition } from '../../../../src/store/durable/journal.ts';
import { readSnapshot, SnapshotSum, writeSnapshot } from '../../../../src/store/durable/snapshot.ts';
import { inspectFiles } from '../../../fixtures/storage/inspectFiles.ts';
import { storedTexts, say, StoragePlace } from '../../../fixtures/storage/storagePlace.ts';
import { WriterProcess } from '../../../fixtures/storage/writerProcess.ts';
import { until } from '../../../fixtures/until.ts';

/** Nobody's number: permissions mean nothing to the administrator. */
const NOBODY = 65_534;

describe('files that cannot be changed', () => {
  describe('because the folder is read-only', () => {
    let folder: string;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'offshoot-read-only-'));
    });
    afterEach(async () => {
      await chmod(folder, 0o755);
      await rm(folder, { recursive: true, force: true });
    });

    it('are shown, and a save says what to do; once they can be changed it works', async function () {
      this.timeout(60_000);
      const uid = process.getuid?.() === 0 ? NOBODY : undefined;
      const options = { folder, saves: 3, ...(uid === undefined ? {} : { uid }) };
      if (uid !== undefined) await chown(folder, uid, uid);
      const before = new WriterProcess(options);
      await before.untilReported('done');
      await before.close();
      await chmod(folder, 0o555);

      const reader = new WriterProcess(options);
      await reader.untilReported('done');
      assert.deepEqual(
        reader.of('refused').map(({ index, code }) => ({ index, code })),
        Array.from({ length: 3 }, () => ({ index: 3, code: 'read-only' })),
      );
      assert.equal(reader.of('access')[0]?.access.kind, 'not-writable');
      await chmod(folder, 0o755);
      await reader.untilReported('access', 2);
      assert.equal(reader.of('access')[1]?.access.kind, 'writer');
      await reader.close();
      assert.deepEqual([...(await inspectFiles(folder)).saves.values()], [3, 3, 3]);
    });
  });

  describe('because a newer version wrote them', () => {
    let place: StoragePlace;
    const accesses: StorageAccess[] = [];

    beforeEach(async () => {
      place = await StoragePlace.create();
      accesses.length = 0;
      await say(place.open({ journalLimit: 1 }), 'one', 'two');
      // An earlier one may hold less: what came later is in journals, which a newer version need not have.
      await until(async () => {
        const isThere = (await place.names()).includes('offshoot.db');
        return isThere && (await readFile(place.file('offshoot.db'))).includes('"two"');
      }, 'a snapshot with all that was said');
      await place.closeAll();
    });
    afterEach(async () => {
      await place[Symbol.asyncDispose]();
    });

    const contents = async (): Promise<Map<string, string>> => {
      const names = await place.names();
      return new Map(
        await Promise.all(
          names.map(async (name) => [name, await readFile(place.file(name), 'base64')] as const),
        ),
      );
    };
    const isShownOnly = async (): Promise<void> => {
      const before = await contents();
      const store = place.open({ onDidChangeAccess: (access) => accesses.push(access) });
      assert.equal((await storedTexts(store))[0], 'one');
      await assert.rejects(say(store, 'three'), { code: 'read-only', message: /newer version of Offshoot/ });
      await store.close();
      assert.deepEqual(accesses, [{ kind: 'newer-version' }]);
      assert.deepEqual(await contents(), before);
      assert.deepEqual(place.reports, []);
    };

    it('are shown and left as they are when the tables are newer', async () => {
      const { wasm } = nodePlatform('dist');
      const snapshot = readSnapshot(await readFile(place.file('offshoot.db')), new SnapshotSum(crc32));
      assert.ok(snapshot?.generation !== undefined);
      const connection = new Connection(await loadSqlite(wasm), snapshot.database);
      connection.execute('CREATE TABLE novelties (name TEXT); PRAGMA user_version = 99');
      await writeFile(
        place.file('offshoot.db'),
        Buffer.concat(writeSnapshot(connection.export(), { generation: snapshot.generation }, crc32)),
      );
      connection.close();
      await isShownOnly();
    });

    it('are shown as far as they are understood when a journal is for newer tables', async () => {
      const journals = (await place.names()).filter((name) => name.endsWith('.journal'));
      const generation = Number(journals.at(-1)?.split('.')[2]) + 1;
      const { position, bytes } = JournalPosition.begin({ schema: 99, generation }, crc32);
      const line = position.encode([{ sql: 'INSERT INTO novelties VALUES (?)', parameters: ['new'] }]);
      await writeFile(place.file(`offshoot.db.${generation}.journal`), Buffer.concat([bytes, line]));
      await isShownOnly();
    });
  });
});
