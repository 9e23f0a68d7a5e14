import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { quietSettings, startServer } from './server.mjs';

/** @typedef {import('./server.mjs').Server} Server */

/** @type {{ file: string, server: Promise<Server> } | undefined} */
let running;
let isLent = false;

/**
 * Lends one server to all workbenches of a test file, one after the other. Starting one and its caches takes longer than
 * anything else of opening a workbench. What it is lent with is new each time: settings, storage, an extension host.
 * @param {string} file each test file has a server of its own
 * @param {object} options the same `linked` for all of a file
 * @param {Record<string, unknown>} options.settings the user's settings on top of the quiet ones
 * @param {string[]} options.linked folders of further extensions
 * @returns {Promise<Server>} its `stop` gives it back; close or leave the pages before
 */
export async function lendServer(file, { settings, linked }) {
  if (isLent)
    throw new Error("The server of this process is lent to another workbench. Close that one's first.");
  isLent = true;
  try {
    if (running && running.file !== file) await stopRunning();
    running ??= { file, server: startServer({ development: true, linked }) };
    const server = await running.server;
    const { machineSettings, userSettings } = server;
    await writeFile(userSettings, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
    await writeFile(machineSettings, '{}');
    return { ...server, stop: () => giveBack(server) };
  } catch (error) {
    running = undefined;
    isLent = false;
    throw error;
  }
}

/**
 * Takes away all that a workbench left. A server whose extension hosts do not end is stopped; the next workbench gets a
 * new one.
 * @param {Server} server
 */
async function giveBack(server) {
  try {
    if (!(await server.extensionHostsEnded())) {
      await stopRunning();
      return;
    }
    const data = path.join(server.dataDir, 'data');
    const user = path.dirname(server.userSettings);
    for (const name of await readdir(user)) {
      await rm(path.join(user, name), { recursive: true, force: true });
    }
    for (const folder of await readdir(path.join(data, 'logs'), { recursive: true, withFileTypes: true })) {
      if (!folder.isDirectory() || !/^exthost\d+$/.test(folder.name)) continue;
      await rm(path.join(folder.parentPath, folder.name), { recursive: true, force: true });
    }
  } finally {
    isLent = false;
  }
}

async function stopRunning() {
  const stopped = await running?.server;
  running = undefined;
  await stopped?.stop();
}
