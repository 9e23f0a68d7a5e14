import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { factsOfUri, type FolderFacts } from '../folderFacts.ts';
import { delay } from '../timers.ts';
import { pathOf, uriOf } from './fileUris.ts';

/** How long a disk may take, in milliseconds: a share whose server is gone may never answer, and a window waits. */
const REACH_MS = 1_000;

/** What this part knows of the machine, so that tests can stand for another one. */
export interface FactsHost {
  readonly realpath: (folder: string) => Promise<string>;
  readonly stat: (folder: string) => Promise<Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>>;
  /** Whether names that differ in case alone are one name. */
  readonly ignoresCase: boolean;
  readonly machine: string;
  readonly reachMs: number;
}

const thisMachine: FactsHost = {
  realpath,
  stat: (folder) => stat(folder, { bigint: true }),
  ignoresCase: process.platform === 'win32' || process.platform === 'darwin',
  machine: hostname(),
  reachMs: REACH_MS,
};

/** Never fails: of a folder that can't be reached, or links that lead in a circle, only the URI is known. */
export async function nodeFolderFacts(uri: string, host: FactsHost = thisMachine): Promise<FolderFacts> {
  if (!uri.startsWith('file:')) return factsOfUri(uri);
  const { ignoresCase, machine, reachMs } = host;
  const found = await Promise.race([reach(uri, host), delay(reachMs)]);
  const real = factsOfUri(found ? uriOf(found.real) : uri).real;
  return {
    real: ignoresCase ? real.toLowerCase() : real,
    machine,
    ...(found?.file ? { file: found.file } : {}),
  };
}

async function reach(
  uri: string,
  host: FactsHost,
): Promise<{ readonly real: string; readonly file: FolderFacts['file'] } | undefined> {
  try {
    const real = await host.realpath(pathOf(uri));
    const { dev, ino, birthtimeNs } = await host.stat(real);
    // Some shares have no ids.
    const file =
      ino === 0n
        ? undefined
        : {
            device: dev.toString(),
            id: ino.toString(),
            born: birthtimeNs > 0n ? birthtimeNs.toString() : '0',
          };
    return { real, file };
  } catch {
    // It is gone, or its permissions or links lead nowhere. It may be there the next time.
    return undefined;
  }
}
