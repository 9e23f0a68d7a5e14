import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { root } from './host.ts';

/** Where something is kept that tells why a test failed, or how the workbench looks. */
export function resultFile(name: string, ending: string): string {
  return path.join(root, 'out', 'results', name.replaceAll(/[^\p{L}\p{N}]+/gu, '-') + ending);
}

/** Keeps what the extension and its host logged. */
export async function keepLogs(folder: string, name: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const logs = files.filter((file) => /^(Offshoot|remoteexthost)\.log$/.test(file.name));
  for (const { name: log, parentPath } of logs) {
    await cp(path.join(parentPath, log), resultFile(name, `.${log}`));
  }
}

/** Records what is done in a browser's windows, without pictures, which would cost as much as what they show. */
export async function startTrace(context: BrowserContext): Promise<void> {
  await context.tracing.start();
  await context.tracing.startChunk();
}

/** Keeps what was recorded so far, for `npx playwright-core show-trace`. */
export async function keepTrace(context: BrowserContext, name: string): Promise<void> {
  await context.tracing.stopChunk({ path: resultFile(name, '.trace.zip') });
  await context.tracing.startChunk();
}
