import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Engine from '../../src/sdk/index.ts';
import { until } from '../../test/fixtures/until.ts';
import { ChatPage } from '../../test/ui/support/chatPage.ts';
import { Workbench, type WorkbenchOptions } from '../../test/ui/support/workbench.ts';

/** @param folder the path of the open folder */
type Fill = (store: Engine.SqliteContextStore, engine: typeof Engine, folder: string) => Promise<void>;

/** A workbench whose conversations were written while it was not running. */
export async function openFilled(
  fill: Fill,
  options: Pick<WorkbenchOptions, 'linked'> = {},
): Promise<Workbench> {
  const workbench = await Workbench.open({ ...options, settings: { 'offshoot.demo.pace': 0 } });
  try {
    await workbench.openOffshoot();
    await new ChatPage(workbench).ask('a first chat');
    await workbench.restartServer({
      whileStopped: async () => {
        const module = pathToFileURL(path.resolve('dist', 'engine.mjs')).href;
        const engine = (await import(module)) as typeof Engine;
        const store = new engine.SqliteContextStore(await databaseIn(workbench.dataDir));
        await store.listChats({ userId: 'local' });
        // The host that wrote before takes a moment to be gone.
        await until(() => !store.isReadOnly, 'the conversations to be free', 30_000);
        await fill(store, engine, workbench.folder);
        await store.close();
      },
    });
    await workbench.openOffshoot();
    return workbench;
  } catch (error) {
    await workbench.close();
    throw error;
  }
}

async function databaseIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true });
  const file: string | undefined = files.find((each) => /offshoot\.db(?:\.\d+\.journal|\.lock)?$/.test(each));
  if (file === undefined) throw new Error('The conversations are not there.');
  return path.join(folder, path.dirname(file), 'offshoot.db');
}
