import { cp } from 'node:fs/promises';
import path from 'node:path';
import { root } from './host.ts';

/** Copies the folder that tests open into a temporary one. @returns the copy */
export async function copySampleFolder(temporary: string): Promise<string> {
  const folder = path.join(temporary, 'workspace');
  await cp(path.join(root, 'test', 'fixtures', 'workspace'), folder, { recursive: true });
  return folder;
}
