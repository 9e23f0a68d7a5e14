import * as vscode from 'vscode';
import type { ContextStore } from '../../src/engine/store.ts';
import type { Host } from '../../src/host/hostMachine.ts';
import { openStorage } from '../../src/extension/storage/openStorage.ts';
import { Banners } from '../../src/extension/ui/banners.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { offshoot } from './support.ts';

/** A folder for conversations, next to that of the extension: a new one for each test. */
export interface OpenedStorage {
  readonly api: Offshoot;
  readonly banners: Banners;
  readonly host: Host;
  /** The path of a file there. */
  readonly path: (name: string) => string;
  /** Opens it, as the extension opens its own. */
  readonly open: () => ContextStore;
}

export function useOpenedStorage(): () => OpenedStorage {
  let opened: OpenedStorage | undefined;
  let log: vscode.LogOutputChannel | undefined;
  let uri: vscode.Uri | undefined;
  const stores: ContextStore[] = [];

  beforeEach(async () => {
    const api = await offshoot();
    const { host } = api.parts;
    const banners = new Banners();
    const folder = vscode.Uri.joinPath(api.parts.folder, '..', `storage-test-${crypto.randomUUID()}`);
    const channel = vscode.window.createOutputChannel('Offshoot Storage Test', { log: true });
    await host.files.ensureFolder(host.pathOf(folder.toString()));
    [log, uri] = [channel, folder];
    opened = {
      api,
      banners,
      host,
      path: (name) => host.files.join(host.pathOf(folder.toString()), name),
      open: () => {
        const options = { host, folder, others: [], isShared: false, banners, log: channel };
        const store = openStorage({
          ...options,
          onDidRefresh: () => undefined,
          onAsk: () => Promise.resolve(null),
          loadRecovery: () => import('../../src/extension/storage/reportRecovery.ts'),
        });
        stores.push(store);
        return store;
      },
    };
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    opened?.banners.dispose();
    log?.dispose();
    // A browser has no folders: what is left there goes with its profile.
    if (uri && opened?.host.isBrowser === false) await vscode.workspace.fs.delete(uri, { recursive: true });
  });

  return () => {
    if (!opened) throw new Error('There is a folder only while a test runs.');
    return opened;
  };
}
