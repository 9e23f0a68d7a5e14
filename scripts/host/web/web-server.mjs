import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { installHost } from '../install.mjs';
import { quietSettings } from '../server.mjs';
import { pageOf, seedPage } from './pages.mjs';
import { vscodeRoot, workbenchScript } from './workbench-script.mjs';

/**
 * @typedef {object} WebServerOptions
 * @property {number} [port] a free one unless given
 * @property {readonly string[]} [extensions] the folders of the extensions that are built in
 * @property {{ extensions: readonly string[], tests: string }} [development] the folders of the extensions that are tested,
 *   and the module whose `run` does it, below the first of them
 * @property {string} [folder] the files that a new browser finds in its workspace
 * @property {Record<string, unknown>} [settings] what counts where the user has set nothing
 *
 * @typedef {object} WebServer
 * @property {string} origin
 * @property {Record<string, unknown>} settings what the next page is opened with
 * @property {() => Promise<void>} stop
 */

/** The folder that is opened, in the storage of the browser. */
export const WORKSPACE = '/workspace';

const types = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * Serves VS Code as a page and nothing more: files to be read. What is opened and kept is in the browser.
 * @param {WebServerOptions} options
 * @returns {Promise<WebServer>}
 */
export async function startWebServer({ port = 0, extensions = [], development, folder, settings = {} }) {
  await installHost();
  const script = await workbenchScript();
  const current = { settings: { ...quietSettings, ...settings } };
  const roots = new Map([['static', vscodeRoot]]);
  const served = (/** @type {readonly string[]} */ folders, /** @type {string} */ called) =>
    folders.map((each, index) => {
      roots.set(`${called}${index}`, each);
      return `${called}${index}`;
    });
  const names = served(extensions, 'extension');
  const tested = development && served(development.extensions, 'tested');
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(error.code === 'ENOENT' ? 404 : 500);
      response.end();
    });
  });

  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async function answer(request, response) {
    const { pathname, host } = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const send = (/** @type {string} */ type, /** @type {string} */ body) =>
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    if (pathname === '/') {
      const page = {
        ...{ vscodeRoot, host, names, settings: current.settings },
        ...(development &&
          tested && { development: { names: tested, tests: `${tested[0]}/${development.tests}` } }),
      };
      return send('text/html', await pageOf(page));
    }
    if (pathname === '/seed') return send('text/html', seedPage(WORKSPACE));
    if (pathname === '/seed.json') {
      return send('application/json', JSON.stringify(folder ? await filesIn(folder) : {}));
    }
    if (pathname === '/static/out/vs/code/browser/workbench/workbench.js')
      return send('text/javascript', script);
    const [, name = '', ...parts] = decodeURIComponent(pathname).split('/');
    const root = roots.get(name);
    const file = root && path.join(root, ...parts);
    if (!file || !file.startsWith(root + path.sep) || !(await stat(file)).isFile()) {
      return response.writeHead(404).end();
    }
    response.writeHead(200, {
      'content-type':
        types[/** @type {keyof typeof types} */ (path.extname(file))] ?? 'application/octet-stream',
      'access-control-allow-origin': '*',
      // A new build is served at the next reload.
      'cache-control': name === 'static' ? 'max-age=3600' : 'no-cache',
    });
    createReadStream(file).pipe(response);
  }

  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1' }, () => resolve(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    get settings() {
      return current.settings;
    },
    set settings(next) {
      current.settings = { ...quietSettings, ...next };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The text files below a folder.
 * @param {string} folder
 */
async function filesIn(folder) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return Object.fromEntries(
    await Promise.all(
      files.map(async (entry) => {
        const file = path.join(entry.parentPath, entry.name);
        return [path.relative(folder, file).replaceAll(path.sep, '/'), await readFile(file, 'utf8')];
      }),
    ),
  );
}
