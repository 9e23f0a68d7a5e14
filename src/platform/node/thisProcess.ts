import { hostname } from 'node:os';
import type { LockOwner } from '../processes.ts';

/** This process, as the owner of a lock. */
export function thisProcess(): LockOwner {
  return { pid: process.pid, host: hostname(), isAlive };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process that may not be signaled still exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
