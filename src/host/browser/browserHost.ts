import { factsOfUri } from '../folderFacts.ts';
import type { Host } from '../hostMachine.ts';
import type { Platform } from '../platform.ts';
import type { UriFiles } from '../uriFiles.ts';
import { VirtualGuardedFiles } from '../virtual/virtualGuardedFiles.ts';
import { VirtualWorkspaceFiles } from '../virtual/virtualWorkspaceFiles.ts';
import { webStorage } from './webStorage.ts';

export interface BrowserHostOptions {
  readonly sqlite: Host['wasm'];
  /** The URI that the editor assigned for storage: windows with the same one share the conversations. */
  readonly storage: string;
  readonly editorFiles: UriFiles;
}

/** The web worker in which an editor runs its extensions. There are no programs, and only the editor's files. */
export function browserHost({ sqlite, storage, editorFiles }: BrowserHostOptions): Host {
  const platforms = new Map<string, Platform>();
  const platformFor = (folder: string): Platform => {
    const known = platforms.get(folder) ?? webStorage(folder, sqlite).platform;
    platforms.set(folder, known);
    return known;
  };
  return {
    ...platformFor(storage),
    isBrowser: true,
    system: 'browser',
    isLocal: () => false,
    home: undefined,
    // Stored data is found by the URI.
    pathOf: (uri) => uri,
    platformFor,
    folderFacts: (uri) => Promise.resolve(factsOfUri(uri)),
    repositoryFacts: undefined,
    workspaceFiles: (folders) => new VirtualWorkspaceFiles(editorFiles, folders),
    guardedFiles: (folders) => new VirtualGuardedFiles(editorFiles, folders),
    programs: undefined,
    foreignFiles: undefined,
    watch: undefined,
    branchFiles: undefined,
    committedHistory: undefined,
    web: undefined,
    cloudAccounts: undefined,
    sandbox: undefined,
    nodeCommand: undefined,
    fetch: pageFetch,
  };
}

/** Headers that an extension may not send in a browser, or that would need a preflight request. */
const NOT_SENT = ['user-agent'];

/** The browser's own `fetch`, which has no time limit; a preflight request for those headers would be refused. */
export const pageFetch: typeof globalThis.fetch = (input, init) => {
  if (!init?.headers) return fetch(input, init);
  const headers = new Headers(init.headers);
  for (const name of NOT_SENT) headers.delete(name);
  return fetch(input, { ...init, headers });
};
