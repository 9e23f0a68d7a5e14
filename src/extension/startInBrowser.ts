import { browserFetch } from '../models/providers/browserFetch.ts';
import type { Host } from '../host/hostMachine.ts';
import { browserHost } from '../host/browser/browserHost.ts';
import type { Start } from './activation.ts';
import { startOffshoot } from './offshoot.ts';
import { registerEvictionHint } from './storage/evictionHint.ts';
import { openProject } from './storage/openProject.ts';
import { storageOf } from './storage/storageFolder.ts';
import { editorFiles } from './files/editorFiles.ts';

/** @param sqlite gives the bytes of SQLite */
export function startInBrowser(sqlite: Host['wasm']): Start {
  return async (context, log, page) => {
    const storage = storageOf(context).folder.toString();
    const given = browserHost({ sqlite, storage, editorFiles });
    const project = await openProject(context, given, log);
    const host = { ...given, ...given.platformFor(project.folder.toString()) };
    const own = { ...host, fetch: browserFetch(host.fetch, globalThis.origin) };
    const offshoot = await startOffshoot(context, log, page, own, project);
    context.subscriptions.push(registerEvictionHint(offshoot.parts, context.globalState));
    void page.shown.then(fetchTheRest);
    return offshoot;
  };
}

/** Makes everything available even if the connection is lost. */
async function fetchTheRest(): Promise<void> {
  // If it can't be fetched now, its users report that.
  await import('./allCommands.ts').catch(() => undefined);
}
