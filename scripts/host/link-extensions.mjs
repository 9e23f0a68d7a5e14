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
  await writeFile(path.join(extensions, 'extensions.json'), JSON.stringify(installed));
}
