import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importBundled } from '../bundled.mjs';
import { linkExtensions } from '../host/link-extensions.mjs';
import { root } from '../host/paths.mjs';
import { startServer } from '../host/server.mjs';
import { workbenchUrl } from '../host/workbench-url.mjs';
import { opener } from './local.mjs';

/** Who uses the shared store. */
const people = ['ana', 'bob'];

/**
 * Starts a PostgreSQL server with a shared store in it, and a local VS Code for each of two people. All of it is in
 * temporary folders and gone at the end.
 * @param {{ folder: string }} options
 * @returns {Promise<{ version: string, windows: { name: string, url: string }[], stop: () => Promise<void> }>}
 */
export async function startShared({ folder }) {
  const { databases } = await importBundled(
    'test/fixtures/postgres/databases.ts',
    path.join('start', 'databases.mjs'),
  );
  /** @type {(() => Promise<unknown>)[]} */
  const ends = [() => databases.stop()];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const { version } = await databases.started();
    await databases.addPeople(...people);
    const url = await databases.create();
    const windows = [];
    for (const name of people) {
      const dataDir = await mkdtemp(path.join(tmpdir(), `offshoot-start-${name}-`));
      ends.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }));
      await linkExtensions(dataDir, [root, opener]);
      const settings = { 'offshoot.sharedStore.address': url(name), 'window.title': `${name} — Offshoot` };
      const server = await startServer({ dataDir, settings });
      ends.push(() => server.stop());
      windows.push({ name, url: workbenchUrl(server.origin, { folder }) });
    }
    return { version, windows, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
