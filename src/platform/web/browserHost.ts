import type { Host } from '../hostMachine.ts';
import type { UriFiles } from '../uriFiles.ts';
import { VirtualGuardedFiles } from '../virtual/virtualGuardedFiles.ts';
import { VirtualWorkspaceFiles } from '../virtual/virtualWorkspaceFiles.ts';
import { pageFetch } from './pageFetch.ts';
import { webStorage } from './webStorage.ts';

export interface BrowserHostOptions {
  /** Gives the bytes of SQLite. */
  readonly sqlite: Host['wasm'];
  /** The URI that the editor gave conversations to be kept under: windows with the same one share them. */
  readonly storage: string;
  /** What the editor reaches. */
  readonly editorFiles: UriFiles;
}

/** The worker of a browser that an editor runs its extensions in. There are no programs, and no files but the editor's. */
export function browserHost({ sqlite, storage, editorFiles }: BrowserHostOptions): Host {
  const { platform } = webStorage(storage, sqlite);
  return {
    ...platform,
    isBrowser: true,
    isLocal: () => false,
    // What is kept is found by the URI.
    pathOf: (uri) => uri,
    workspaceFiles: (folders) => new VirtualWorkspaceFiles(editorFiles, folders),
    guardedFiles: (folders) => new VirtualGuardedFiles(editorFiles, folders),
    programs: undefined,
    foreignFiles: undefined,
    watch: undefined,
    web: undefined,
    nodeCommand: undefined,
    fetch: pageFetch,
  };
}
