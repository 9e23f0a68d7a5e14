import crc from 'crc-32';
import type { Host } from '../hostMachine.ts';
import type { UriFiles } from '../uriFiles.ts';
import { VirtualGuardedFiles } from '../virtual/virtualGuardedFiles.ts';
import { VirtualWorkspaceFiles } from '../virtual/virtualWorkspaceFiles.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { pageFetch } from './pageFetch.ts';

export interface WebHostOptions {
  /** The URI of the folder with the built files: SQLite is fetched from there. */
  readonly dist: string;
  /** What the editor reaches. */
  readonly editorFiles: UriFiles;
}

/** The worker of a browser that an editor runs its extensions in. There are no programs, and no files but the editor's. */
export function webHost({ dist, editorFiles }: WebHostOptions): Host {
  return {
    files: new MemoryFiles(),
    owner: { pid: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0, host: 'browser', isAlive: () => false },
    crc32: (bytes, start) => crc.buf(bytes, start) >>> 0,
    snapshots: { build: () => Promise.reject(new Error('There are no files to make a snapshot of.')) },
    wasm: async () => Uint8Array.from(await editorFiles.read(`${dist}/sql-wasm.wasm`)),
    isBrowser: true,
    isLocal: () => false,
    pathOf: (uri) => uri,
    workspaceFiles: (folders) => new VirtualWorkspaceFiles(editorFiles, folders),
    guardedFiles: (folders) => new VirtualGuardedFiles(editorFiles, folders),
    programs: undefined,
    foreignFiles: undefined,
    watch: undefined,
    web: undefined,
    fetch: pageFetch,
  };
}
