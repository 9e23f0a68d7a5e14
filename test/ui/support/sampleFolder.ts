import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './host.ts';

/** Copies the folder that tests open into a temporary one. @returns the copy */
export async function copySampleFolder(temporary: string, name = 'workspace'): Promise<string> {
  const folder = path.join(temporary, name);
  await cp(path.join(root, 'test', 'fixtures', 'workspace'), folder, { recursive: true });
  return folder;
}

/** Makes several of them, and the file of a workspace with all. @returns the first one, and that file */
export async function makeWorkspace(
  temporary: string,
  [first, ...others]: readonly [string, ...string[]],
): Promise<{ folder: string; file: string }> {
  const folder = await copySampleFolder(temporary, first);
  const folders = [folder];
  for (const name of others) folders.push(await copySampleFolder(temporary, name));
  const file = path.join(temporary, 'several.code-workspace');
  await writeFile(file, JSON.stringify({ folders: folders.map((each) => ({ path: each })) }));
  return { folder, file };
}
