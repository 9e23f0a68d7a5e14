import path from 'node:path';
import { linkExtensions } from '../host/link-extensions.mjs';
import { cacheDir, root } from '../host/paths.mjs';
import { startServer } from '../host/server.mjs';
import { workbenchUrl } from '../host/workbench-url.mjs';

/** Conversations, keys and settings stay here from one start to the next. */
export const dataDir = path.join(cacheDir, 'start');

/** Shows the chat when the window opens. */
export const opener = path.join(root, 'scripts', 'start', 'opener');

/**
 * Starts the local VS Code with the extension in it.
 * @param {{ port: number, folder: string }} options
 */
export async function startLocal({ port, folder }) {
  // Not as one under development: the server's page would then hide notifications.
  await linkExtensions(dataDir, [root, opener]);
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
