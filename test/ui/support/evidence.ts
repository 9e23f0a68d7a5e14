import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from './host.ts';

/** Where something is kept that tells why a test failed, or how the workbench looks. */
export function resultFile(name: string, ending: string): string {
  return path.join(root, 'test-results', name.replaceAll(/[^\p{L}\p{N}]+/gu, '-') + ending);
}

/** Keeps what the extension and its host logged. */
export async function keepLogs(folder: string, name: string): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const logs = files.filter((file) => /^(Offshoot|remoteexthost)\.log$/.test(file.name));
  for (const { name: log, parentPath } of logs) {
    await cp(path.join(parentPath, log), resultFile(name, `.${log}`));
  }
}
