import { rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { atExit } from './cleanup.mjs';

/** A holder writes its pid right after taking the lock; a lock without one for this long was abandoned. */
const UNSIGNED_LIMIT_MS = 10_000;

/**
 * Runs `work` while no other process holds the lock. A lock whose holder has died is taken over.
 * @template T
 * @param {string} lockDir
 * @param {() => Promise<T>} work
 * @param {(pid: number | undefined) => void} [onWait] called once when another process has to be waited for
 * @returns {Promise<T>}
 */
export async function withLock(lockDir, work, onWait) {
  await mkdir(path.dirname(lockDir), { recursive: true });
  let waited = false;
  while (!(await take(lockDir))) {
    const holder = await holderOf(lockDir);
    if (holder.abandoned) {
      await putAside(lockDir, holder.pid);
    } else {
      if (!waited) onWait?.(holder.pid);
      waited = true;
      await delay(250);
    }
  }
  const forget = atExit(() => rmSync(lockDir, { recursive: true, force: true }));
  try {
    return await work();
  } finally {
    await rm(lockDir, { recursive: true, force: true });
    forget();
  }
}

/** @param {string} lockDir */
async function take(lockDir) {
  try {
    await mkdir(lockDir);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(path.join(lockDir, 'pid'), String(process.pid));
  return true;
}

/**
 * @param {string} lockDir
 * @returns {Promise<{ pid: number | undefined, abandoned: boolean }>}
 */
async function holderOf(lockDir) {
  try {
    const pid = Number(await readFile(path.join(lockDir, 'pid'), 'utf8'));
    if (pid > 0) return { pid, abandoned: !isAlive(pid) };
    const { mtimeMs } = await stat(lockDir);
    return { pid: undefined, abandoned: Date.now() - mtimeMs > UNSIGNED_LIMIT_MS };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    const age = await stat(lockDir).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    return { pid: undefined, abandoned: age > UNSIGNED_LIMIT_MS };
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Renamed before it is deleted, so that of two processes that saw the same dead holder one alone removes it.
 * @param {string} lockDir
 * @param {number | undefined} pid
 */
async function putAside(lockDir, pid) {
  const aside = `${lockDir}.${pid ?? 'unsigned'}`;
  try {
    await rename(lockDir, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}
