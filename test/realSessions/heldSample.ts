import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Driver } from './driver.ts';
import { heldAgainst, heldWhenContinued } from './held.ts';
import { laidOut, type Sample } from './sample.ts';

/** Holds what a program wrote against what was said, from nothing and continued. */
export async function held(
  { told, files, before }: Sample,
  project: string,
  driver: Driver,
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'real-session-held-'));
  try {
    const [whole, early] = [path.join(folder, 'whole'), path.join(folder, 'early')];
    await laidOut(whole, files);
    const kept = { home: whole, project };
    const problems = await heldAgainst(kept, told, driver.loses ?? {});
    if (!before || before.size === 0) return problems;
    await laidOut(early, before);
    const continued = await heldWhenContinued({ home: early, project }, kept, told, driver.loses ?? {});
    return [...problems, ...continued];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
