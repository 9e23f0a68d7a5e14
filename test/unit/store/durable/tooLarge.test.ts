import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { user } from '../../../../src/engine/fragments/index.ts';
import { nodePlatform } from '../../../../src/host/node/nodePlatform.ts';
import { Connection, loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { DurableContextStore } from '../../../../src/store/durableContextStore.ts';
import { SIZE_LIMIT } from '../../../../src/store/sqlite/sizeLimit.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

describe('a database that becomes too large', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-large-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const store = (maxBytes?: number): DurableContextStore =>
    new DurableContextStore({
      folder,
      platform: nodePlatform('dist'),
      ...(maxBytes === undefined ? {} : { sizeLimit: { ...SIZE_LIMIT, maxBytes } }),
      onRecovery: ({ outcome }) => assert.fail(outcome),
      onError: (error) => {
        throw error;
      },
    });
  const say = async (to: DurableContextStore, chatId: string, text: string): Promise<void> => {
    const engine = new ContextEngine({ store: to, chatId, userId: 'ann' });
    try {
      await engine.set(user(text)).save();
    } finally {
      await engine.close();
    }
  };

  it('refuses what does not fit, keeps what was saved, and takes more once there is room again', async () => {
    const limited = store(6_000_000);
    await say(limited, 'small', 'hello');
    await say(limited, 'large', 'x'.repeat(1_000_000));
    for (const length of [3_000_000, 4_000_000]) {
      await assert.rejects(say(limited, 'more', 'y'.repeat(length)), {
        code: 'too-large',
        message: /^Nothing was saved: .*delete them and empty the trash\.$/,
      });
    }
    assert.equal((await limited.getGraph('small')).nodes.length, 1);
    assert.equal((await limited.getGraph('large')).nodes.length, 1);
    // The journal has nothing of what was refused.
    assert.ok((await stat(path.join(folder, 'offshoot.db.0.journal'))).size < 1_100_000);
    await limited.deleteChat('large');
    await limited.trash.empty({ blobGrace: 0 });
    await say(limited, 'more', 'z'.repeat(900_000));
    const graph = await limited.getGraph('more');
    await limited.close();
    const again = store(6_000_000);
    assert.deepEqual(await again.getGraph('more'), graph);
    await again.close();
  });

  it('still takes what is small, so that chats can be renamed and deleted', async () => {
    const limited = store(2_000_000);
    let count = 0;
    await assert.rejects(
      (async () => {
        for (; count < 1_000; count++) await say(limited, `chat ${count}`, `${count} `.repeat(30_000));
      })(),
      { code: 'too-large' },
    );
    assert.ok(count > 5, String(count));
    await limited.updateChat('chat 0', { title: 'Renamed' });
    for (let chat = 0; chat < count; chat++) await limited.deleteChat(`chat ${chat}`);
    await limited.trash.empty({ blobGrace: 0 });
    await say(limited, 'new', 'y'.repeat(500_000));
    await limited.close();
  });

  it('over a smaller limit than it has can be read, and made smaller', async () => {
    const free = store();
    await say(free, 'large', 'word '.repeat(400_000));
    await say(free, 'small', 'hello');
    await free.close();
    const limited = store(1_500_000);
    assert.equal((await limited.listChats()).length, 2);
    await assert.rejects(say(limited, 'small', 'z'.repeat(100_000)), { code: 'too-large' });
    await limited.deleteChat('large');
    await limited.trash.empty({ blobGrace: 0 });
    await say(limited, 'small', 'z'.repeat(100_000));
    await limited.close();
  });

  it('is stopped in the middle of a change that would not end', async () => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    connection.execute('CREATE TABLE t(x)');
    const limit = { maxBytes: 1_000_000, deletingBytes: 2_000_000 };
    const fill = (): unknown =>
      connection.transact((transaction) => {
        for (;;) transaction.run('INSERT INTO t VALUES (?)', ['x'.repeat(1_000_000)]);
      }, limit);
    assert.throws(fill, { code: 'too-large' });
    assert.deepEqual(connection.all('SELECT count(*) AS n FROM t'), [{ n: 0 }]);
    connection.transact((transaction) => transaction.run('INSERT INTO t VALUES (?)', ['x']), limit);
    // What was saved once is read back whatever the limit is.
    assert.equal(
      connection.replay([[{ sql: 'INSERT INTO t VALUES (?)', parameters: ['y'.repeat(2_000_000)] }]]),
      1,
    );
    connection.close();
  });

  it('is given up whole when SQLite takes back no more than the statement that found no room', async () => {
    const connection = new Connection(await loadSqlite(sqliteWasm));
    connection.execute('CREATE TABLE t(key INTEGER PRIMARY KEY, x TEXT UNIQUE NOT NULL)');
    const limit = { maxBytes: 1_000_000, deletingBytes: 100_000 };
    const fill = (length: number): unknown =>
      connection.transact((transaction) => {
        transaction.run('INSERT INTO t VALUES (?, ?)', [1, 'one']);
        // Of several rows, each of which may break a rule: SQLite keeps what it needs to take this statement back alone.
        transaction.run("INSERT INTO t SELECT value, value || ? FROM json_each('[2,3,4,5,6,7,8,9]')", [
          'x'.repeat(length),
        ]);
      }, limit);
    assert.throws(() => fill(500_000), { code: 'too-large' });
    assert.deepEqual(connection.all('SELECT count(*) AS n FROM t'), [{ n: 0 }]);
    fill(10);
    assert.deepEqual(connection.all('SELECT count(*) AS n FROM t'), [{ n: 9 }]);
    connection.close();
  });

  it('in a file that cannot be read at once is refused before it is read, and left as it is', async () => {
    const file = path.join(folder, 'offshoot.db');
    const handle = await open(file, 'w');
    await handle.truncate(2_254_857_830);
    await handle.close();
    const refused = store();
    await assert.rejects(refused.listChats(), {
      code: 'too-large',
      message: /offshoot\.db is too large to open \(2150 MB; the limit is 2048 MB\)\. Nothing was changed\./,
    });
    assert.deepEqual(await readdir(folder), ['offshoot.db']);
    assert.equal((await stat(file)).size, 2_254_857_830);
  });
});
