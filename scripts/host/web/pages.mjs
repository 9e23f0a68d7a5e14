import { readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * VS Code's own page, with what a server would have filled in.
 * @param {object} what
 * @param {string} what.vscodeRoot
 * @param {string} what.host with the port
 * @param {readonly string[]} what.names where the extensions are served
 * @param {{ names: readonly string[], tests: string } | undefined} [what.development] where those are served that are
 *   tested, and the module that tests them
 * @param {Record<string, unknown>} what.settings
 */
export async function pageOf({ vscodeRoot, host, names, development, settings }) {
  const template = await readFile(
    path.join(vscodeRoot, 'out/vs/code/browser/workbench/workbench.html'),
    'utf8',
  );
  const base = '/static';
  const at = (/** @type {string} */ name) => ({ scheme: 'http', authority: host, path: `/${name}` });
  const configuration = {
    additionalBuiltinExtensions: names.map(at),
    ...(development && {
      developmentOptions: {
        extensions: development.names.map(at),
        extensionTestsPath: at(development.tests),
      },
    }),
    configurationDefaults: settings,
    userDataPath: '/',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    webviewEndpoint: `${base}/out/vs/workbench/contrib/webview/browser/pre`,
    productConfiguration: { nameShort: 'Code', nameLong: 'Code in a browser', extensionsGallery: undefined },
  };
  const values = {
    WORKBENCH_WEB_CONFIGURATION: JSON.stringify(configuration),
    WORKBENCH_AUTH_SESSION: '',
    WORKBENCH_WEB_BASE_URL: base,
    WORKBENCH_NLS_URL: `${base}/out/nls.messages.js`,
    WORKBENCH_NLS_FALLBACK_URL: `${base}/out/nls.messages.js`,
    WORKBENCH_SCRIPT_NONCE: '',
    BASE: base,
    VS_BASE: base,
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (whole, /** @type {keyof typeof values} */ name) =>
    name in values ? values[name].replaceAll('&', '&amp;').replaceAll('"', '&quot;') : whole,
  );
}

/**
 * A page that puts files into the storage of a browser that has none of them yet, as VS Code keeps files there, and then
 * goes on to the workbench.
 * @param {string} workspace
 */
export function seedPage(workspace) {
  return `<!doctype html><meta charset="utf-8"><script type="module">
    const stores = ['vscode-userdata-store', 'vscode-logs-store', 'vscode-filehandles-store'];
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const opening = indexedDB.open('vscode-web-db', 3);
    opening.onupgradeneeded = () => {
      for (const name of stores) {
        if (!opening.result.objectStoreNames.contains(name)) opening.result.createObjectStore(name);
      }
    };
    const database = await done(opening);
    const kept = () => database.transaction(stores[0], 'readwrite').objectStore(stores[0]);
    const keys = await done(kept().getAllKeys());
    if (!keys.some((key) => String(key).startsWith('${workspace}/'))) {
      const files = await (await fetch('/seed.json')).json();
      for (const [name, text] of Object.entries(files)) {
        await done(kept().put(new TextEncoder().encode(text), '${workspace}/' + name));
      }
    }
    database.close();
    const to = new URL('/', location.href);
    for (const [name, value] of new URLSearchParams(location.search)) to.searchParams.set(name, value);
    to.searchParams.set('folder', 'vscode-userdata:${workspace}');
    location.replace(to.href);
  </script>`;
}
