import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
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
    const { pid, abandoned } = await holderOf(lockDir);
    if (abandoned) await removeAbandoned(lockDir);
    else if (!waited) onWait?.(pid);
    waited ||= !abandoned;
    await delay(250);
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
 * Of several processes that saw the same dead holder, one at a time looks again and removes the lock, so that
 * nobody removes a lock that was taken in the meantime.
 * @param {string} lockDir
 */
async function removeAbandoned(lockDir) {
  const claim = `${lockDir}.takeover`;
  try {
    await mkdir(claim);
  } catch (error) {
    if (error.code === 'EEXIST') return;
    throw error;
  }
  try {
    if ((await holderOf(lockDir)).abandoned) await rm(lockDir, { recursive: true, force: true });
  } finally {
    await rmdir(claim);
  }
}
