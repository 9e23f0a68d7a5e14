import { webStorage } from '../../../src/platform/web/webStorage.ts';
import { StorageFiles } from '../../../src/store/durable/storageFiles.ts';
import { inspectStorage, type Inspected } from '../../fixtures/storage/inspectStorage.ts';
import assert from '../assert.ts';
import { setTimeout as delay } from '../timers.ts';
import { sqliteWasm } from '../wasm.ts';
import { StorageWindow } from './storageWindow.ts';

export interface KillResults {
  readonly kills: number;
  /** Saves that were acknowledged, each of which was found again. */
  readonly saves: number;
  /** Kills while a snapshot was being written. */
  readonly duringSnapshot: number;
  /** Snapshots that were made and are in use. */
  readonly snapshots: number;
  readonly journals: number;
}

/** A kill comes after at most so many saves, and then at most so much later. */
const MOST_SAVES = 40;
const THEN_MS = 3;
/** Opening takes about so long. */
const OPENING_MS = 60;

/** What is kept under a name, found whole. */
export async function inspect(name: string): Promise<Inspected> {
  const storage = webStorage(name, sqliteWasm);
  try {
    return await inspectStorage(storage.platform, storage.folder);
  } finally {
    storage.dispose();
  }
}

/** Whether a snapshot is there that was not finished. */
async function isSnapshotHalfDone(name: string): Promise<boolean> {
  const storage = webStorage(name, sqliteWasm);
  try {
    const files = new StorageFiles(storage.platform.files, storage.folder);
    return (await files.files.stamp(files.nextSnapshot)) !== undefined;
  } finally {
    storage.dispose();
  }
}

/**
 * Kills workers while they save and make snapshots, one after the other on the same storage, at random moments. After
 * each kill it is found whole, with every acknowledged save.
 */
export async function killWindows(kills: number): Promise<KillResults> {
  const name = `kills ${crypto.randomUUID()}`;
  const acknowledged = new Map<string, number>();
  let [saves, duringSnapshot, snapshots, journals, base] = [0, 0, 0, 0, 0];
  let next = StorageWindow.start();
  for (let kill = 1; kill <= kills; kill++) {
    const window = await next;
    next = StorageWindow.start();
    window.begin('open', { name, journalLimit: 8_000 });
    if (kill % 6 === 0) await delay(Math.random() * OPENING_MS);
    else {
      window.begin('saveAsWriter', { saves: 1e9 });
      const enough = Math.floor(Math.random() * MOST_SAVES);
      await window.until(() => window.of('saved').length >= enough || window.of('refused').length > 0);
      await delay(Math.random() * THEN_MS);
    }
    window.kill();
    for (const { chatId, index } of window.of('saved')) acknowledged.set(chatId, index + 1);
    saves += window.of('saved').length;
    const wrong = [...window.of('recovery'), ...window.of('error'), ...window.of('refused')];
    assert.deepEqual(wrong, [], `kill ${kill}`);
    if (await isSnapshotHalfDone(name)) duringSnapshot += 1;
    const found = await inspect(name);
    for (const [chatId, count] of acknowledged) {
      const there = found.saves.get(chatId) ?? 0;
      // One more may have been written whole without a moment left to say so.
      assert.ok(
        there === count || there === count + 1,
        `${there} saves in ${chatId} after ${count} (kill ${kill})`,
      );
      acknowledged.set(chatId, there);
    }
    journals = found.generation;
    if (found.baseGeneration > base) snapshots += 1;
    base = found.baseGeneration;
  }
  return { kills, saves, duringSnapshot, snapshots, journals };
}
