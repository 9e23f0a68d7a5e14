import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheDir, root } from '../host/paths.mjs';
import { startServer } from '../host/server.mjs';
import { workbenchUrl } from '../host/workbench-url.mjs';

/** Conversations, keys and settings stay here from one start to the next. */
export const dataDir = path.join(cacheDir, 'start');

/**
 * Starts the local VS Code with the extension in it.
 * @param {{ port: number, folder: string }} options
 */
export async function startLocal({ port, folder }) {
  await linkExtension();
  const server = await startOn(port);
  return { url: workbenchUrl(server.origin, { folder }), server };
}

/**
 * The browser keeps its part of the storage by address, so another port is second best.
 * @param {number} port
 */
async function startOn(port) {
  try {
    return await startServer({ dataDir, port });
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw error;
    console.log(`Port ${port} is taken, so another is used; keys entered before are not known there.`);
    return startServer({ dataDir });
  }
}

/**
 * Installs the extension where it stands: after a build, reloading the window is enough. It is not run as one
 * under development, since the server's page would then hide notifications.
 */
async function linkExtension() {
  const { publisher, name, version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const installed = [
    {
      identifier: { id: `${publisher}.${name}` },
      version,
      location: { $mid: 1, scheme: 'file', path: pathToFileURL(root).pathname },
    },
  ];
  const extensions = path.join(dataDir, 'extensions');
  await mkdir(extensions, { recursive: true });
  await writeFile(path.join(extensions, 'extensions.json'), JSON.stringify(installed));
}
