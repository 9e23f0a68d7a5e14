import { webStorage } from '../../../src/host/browser/webStorage.ts';
import { StorageFiles } from '../../../src/store/durable/storageFiles.ts';
import { inspectStorage, type Inspected } from '../../fixtures/storage/inspectStorage.ts';
import { KillTally, showsEnough, type KillResults } from '../../fixtures/storage/killTally.ts';
import { setTimeout as delay } from '../timers.ts';
import { sqliteWasm } from '../wasm.ts';
import { StorageWindow } from './storageWindow.ts';

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
 * @param kills how many at least; more where these do not show enough
 */
export async function killWindows(kills: number): Promise<KillResults> {
  const name = `kills ${crypto.randomUUID()}`;
  const tally = new KillTally();
  let next = StorageWindow.start();
  for (let kill = 1; kill <= kills || !showsEnough(tally.results); kill++) {
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
    const killed = {
      saved: window.of('saved'),
      wrong: [...window.of('recovery'), ...window.of('error'), ...window.of('refused')],
      isSnapshotHalfDone: await isSnapshotHalfDone(name),
    };
    await tally.add(killed, () => inspect(name));
  }
  return tally.results;
}
