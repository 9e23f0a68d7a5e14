import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Registers extensions with VS Code where they lie, as if they had been installed: a rebuild is there at the next
 * reload, and nothing has to be packaged.
 * @param {string} dataDir
 * @param {string[]} folders
 */
export async function linkExtensions(dataDir, folders) {
  const installed = await Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
      return {
        identifier: { id: `${manifest.publisher}.${manifest.name}` },
        version: manifest.version,
        location: { $mid: 1, scheme: 'file', path: pathToFileURL(folder).pathname },
      };
    }),
  );
  const extensions = path.join(dataDir, 'extensions');
  await mkdir(extensions, { recursive: true });
  const list = path.join(extensions, 'extensions.json');
  // A package may have been installed before; the file is not there otherwise.
  const before = existsSync(list) ? JSON.parse(await readFile(list, 'utf8')) : [];
  const isOther = (/** @type {typeof installed[number]} */ { identifier }) =>
    installed.every((each) => each.identifier.id !== identifier.id);
  await writeFile(list, JSON.stringify([...before.filter(isOther), ...installed]));
}
