import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { ReadOnlyError } from '../../../../src/engine/errors.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { textOf } from '../../../../src/engine/uiMessage.ts';
import { NodeFiles } from '../../../../src/platform/node/nodeFiles.ts';
import { thisProcess } from '../../../../src/platform/node/thisProcess.ts';
import type { LogFile } from '../../../../src/platform/files.ts';
import { DurableContextStore } from '../../../../src/store/durable/durableContextStore.ts';
import type { RecoveryReport } from '../../../../src/store/durable/errors.ts';
import { until } from '../../../fixtures/until.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

/** Files on a disk that is full from the moment the test says so. */
class FillingFiles extends NodeFiles {
  isFull = false;

  override async openLog(file: string): Promise<LogFile> {
    const log = await super.openLog(file);
    const append = log.append.bind(log);
    log.append = async (bytes) => {
      if (!this.isFull) return append(bytes);
      // Half of it arrives, as on a real disk.
      await append(bytes.subarray(0, bytes.byteLength / 2));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    return log;
  }
}

describe('a store in a folder', () => {
  let folder: string;
  let reports: RecoveryReport[];
  const stores: DurableContextStore[] = [];

  const open = (files = new NodeFiles()): DurableContextStore => {
    const store = new DurableContextStore({
      folder,
      files,
      owner: thisProcess(),
      wasm: sqliteWasm,
      onRecovery: (report) => reports.push(report),
      onError: (error) => assert.fail(String(error)),
    });
    stores.push(store);
    return store;
  };
  const say = async (store: DurableContextStore, ...texts: string[]): Promise<void> => {
    const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    for (const text of texts) await context.set(user(text)).save();
    await context.close();
  };
  const said = async (store: DurableContextStore): Promise<string[]> => {
    const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    return (await context.resolve()).messages.map(textOf);
  };
  const file = (name: string): string => path.join(folder, name);
  /** The files as they are now, as a crash would leave them. */
  const crash = async (): Promise<void> => {
    const copies = new Map<string, Buffer>();
    for (const name of await readdir(folder)) copies.set(name, await readFile(file(name)));
    await Promise.all(stores.splice(0).map((store) => store.close()));
    for (const [name, bytes] of copies) if (!name.endsWith('.lock')) await writeFile(file(name), bytes);
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'offshoot-store-'));
    reports = [];
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
  });

  it('has every saved message after it is opened again', async () => {
    const store = open();
    await say(store, 'one', 'two');
    await store.close();
    assert.deepEqual(await said(open()), ['one', 'two']);
  });

  it('has every saved message after a crash', async () => {
    await say(open(), 'one', 'two');
    await crash();
    assert.deepEqual(await said(open()), ['one', 'two']);
    assert.deepEqual(reports, []);
  });

  it('drops a frame that was being written when the power went, and goes on', async () => {
    await say(open(), 'one');
    await crash();
    const whole = await readFile(file('offshoot.journal'));
    await say(open(), 'two');
    await crash();
    const longer = await readFile(file('offshoot.journal'));
    for (let size = whole.byteLength + 1; size < longer.byteLength; size += 97) {
      await writeFile(file('offshoot.journal'), longer.subarray(0, size));
      const store = open();
      assert.deepEqual(await said(store), ['one']);
      await store.close();
    }
    assert.deepEqual(reports, []);
  });

  it('stops at a damaged frame, says so, and keeps the damaged file', async () => {
    await say(open(), 'one', 'two', 'three');
    await crash();
    const bytes = await readFile(file('offshoot.journal'));
    const at = bytes.byteLength - 20;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(file('offshoot.journal'), bytes);
    assert.deepEqual(await said(open()), ['one', 'two']);
    const [report] = reports;
    assert.equal(report?.outcome, 'journal-cut');
    assert.deepEqual(await readFile(report.keptAside[0] ?? ''), bytes);
  });

  it('sets a file that is no database aside, says so, and begins a new one', async () => {
    await writeFile(file('offshoot.db'), 'this is not SQLite');
    const store = open();
    await say(store, 'hello');
    const [report] = reports;
    assert.equal(report?.outcome, 'new-database');
    assert.equal((await readFile(report.keptAside[0] ?? '')).toString(), 'this is not SQLite');
    await store.close();
    assert.deepEqual(await said(open()), ['hello']);
    assert.equal(reports.length, 1);
  });

  it('refuses a save when the disk is full, keeps all before it, and saves again once there is room', async () => {
    const files = new FillingFiles();
    const store = open(files);
    await say(store, 'one');
    files.isFull = true;
    await assert.rejects(say(store, 'two'), { code: 'storage-full' });
    files.isFull = false;
    assert.deepEqual(await said(store), ['one']);
    await say(store, 'three');
    await crash();
    assert.deepEqual(await said(open()), ['one', 'three']);
    assert.deepEqual(reports, []);
  });

  it('keeps everything through many compactions and a damaged snapshot', async () => {
    const store = open();
    const long = 'x'.repeat(400_000);
    const texts = Array.from({ length: 12 }, (_, index) => `${index} ${long}`);
    await say(store, ...texts);
    await crash();
    assert.ok((await readdir(folder)).includes('offshoot.db.bak'));
    const bytes = await readFile(file('offshoot.db'));
    await writeFile(file('offshoot.db'), bytes.subarray(0, bytes.byteLength / 2));
    const again = open();
    assert.deepEqual(await said(again), texts);
    assert.equal(reports[0]?.outcome, 'backup-used');
    await say(again, 'last');
    await crash();
    assert.deepEqual(await said(open()), [...texts, 'last']);
  });

  it('writes a snapshot that any SQLite opens and that holds what was said', async () => {
    const store = open();
    await say(store, 'y'.repeat(1_200_000), 'end');
    await store.close();
    const header = (await readFile(file('offshoot.db'))).subarray(0, 15).toString();
    assert.equal(header, 'SQLite format 3');
  });

  it('lets one window write, shows the other what it writes, and hands over when it closes', async () => {
    const first = open();
    await say(first, 'one');
    const second = open();
    assert.deepEqual(await said(second), ['one']);
    assert.equal(second.isReadOnly, true);
    await assert.rejects(say(second, 'refused'), ReadOnlyError);
    await say(first, 'two');
    await until(async () => (await said(second)).length === 2, 'the second window to see it');
    await first.close();
    await until(() => !second.isReadOnly, 'the second window to take over');
    await say(second, 'three');
    assert.deepEqual(await said(second), ['one', 'two', 'three']);
  });

  it('takes over the lock of a process that is gone', async () => {
    await writeFile(
      file('offshoot.lock'),
      JSON.stringify({ pid: 2 ** 30, host: thisProcess().host, token: 'x' }),
    );
    const store = open();
    await say(store, 'one');
    assert.equal(store.isReadOnly, false);
  });

  it('keeps the bytes of an artifact', async () => {
    const store = open();
    const context = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    context.set(user('q'), assistant('a'));
    await context.artifacts.save('f', new Uint8Array([1, 2, 3]), { mediaType: 'text/plain' });
    await context.save();
    await store.close();
    const again = new ContextEngine({ store: open(), chatId: 'chat', userId: 'ann' });
    assert.deepEqual([...((await again.artifacts.load('f'))?.data ?? [])], [1, 2, 3]);
  });
});
