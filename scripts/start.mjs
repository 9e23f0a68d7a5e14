// npm start: Offshoot in VS Code, from nothing but a clone.
import { spawn } from 'node:child_process';
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './dependencies.mjs';
import { onInterrupt } from './host/cleanup.mjs';
import { isHostSupported } from './host/install.mjs';
import { root } from './host/paths.mjs';
import { hasDisplay, openBrowser, openDesktop, thisMachine } from './start/desktop.mjs';
import { findDesktop } from './start/findDesktop.mjs';
import { dataDir, startLocal } from './start/local.mjs';

const usage = `npm start -- [options]

Opens Offshoot in a desktop VS Code where there is one (Code, Insiders or VSCodium),
else in a local VS Code that is shown in a browser; where that doesn't run, in a
desktop VS Code that is downloaded.

  --postgres     two windows as two people on a shared store, with a server for it
                 (all of it temporary)
  --server       the local VS Code in any case
  --web          the same without its server: all runs and stays in the browser
  --port <n>     its port (3717)
  --folder <dir> the folder to open (a small sample)
  --no-open      only print the address
  --smoke        see whether Offshoot shows up, then stop
  --help`;

async function main() {
  const options = readArguments();
  if (options.help) {
    console.log(usage);
    return;
  }
  await ensureDependencies();
  await build();
  const folder = options.folder ? path.resolve(options.folder) : await sampleFolder();
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw new Error(`${folder} is no folder.`);

  if (options.postgres) {
    await openShared(options, folder);
    return;
  }
  if (options.web) {
    const { startWeb } = await import('./start/web.mjs');
    return show(await startWeb({ port: options.port, folder }), options);
  }
  const desktop = options.server || !hasDisplay ? undefined : await desktopVsCode();
  if (desktop) {
    await openDesktop(desktop, root, folder);
    console.log('VS Code is opening; Offshoot is in its activity bar.');
    return;
  }

  await show(await startLocal({ port: options.port, folder }), options);
}

/**
 * Says where it is until it is stopped, or looks at it once.
 * @param {{ server: { stop: () => Promise<void> }, url: string }} started
 * @param {{ smoke: boolean, open: boolean }} options
 */
async function show({ server, url }, options) {
  onInterrupt(server.stop);
  console.log(`Offshoot is ready at ${url}`);
  if (options.smoke) {
    try {
      const { smoke } = await import('./start/smoke.mjs');
      await smoke(url);
      console.log('smoke: ok');
    } finally {
      await server.stop();
    }
  } else {
    console.log('Open it in a browser. Ctrl-C stops it.');
    if (options.open) openBrowser(url);
  }
}

/**
 * @param {ReturnType<typeof readArguments>} options
 * @param {string} folder
 */
async function openShared(options, folder) {
  const { startShared } = await import('./start/postgres.mjs');
  const { version, windows, stop } = await startShared({ folder });
  onInterrupt(stop);
  console.log(`PostgreSQL ${version} is running, with a shared store in it.`);
  for (const { name, url } of windows) console.log(`Offshoot of ${name} is ready at ${url}`);
  if (options.smoke) {
    try {
      const { smoke } = await import('./start/smoke.mjs');
      for (const { name, url } of windows) await smoke(url, { status: `${name} on localhost` });
      console.log('smoke: ok');
    } finally {
      await stop();
    }
    return;
  }
  console.log('Open both in a browser. Ctrl-C stops all of it.');
  if (options.open) for (const { url } of windows) openBrowser(url);
}

/** The desktop VS Code to open, with arguments of its own; undefined where the local one is to be used. */
async function desktopVsCode() {
  const found = findDesktop(thisMachine);
  if (found !== undefined) return [found];
  if (isHostSupported) return undefined;
  const { fetchDesktop } = await import('./start/fetchDesktop.mjs');
  return fetchDesktop();
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
      'no-open': { type: 'boolean', default: false },
      port: { type: 'string', default: '3717' },
      postgres: { type: 'boolean', default: false },
      server: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      web: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${values.port} is no port.`);
  const { folder, help, postgres, smoke, web } = values;
  return {
    folder,
    help,
    port,
    postgres,
    smoke,
    web,
    open: !values['no-open'],
    server: values.server || smoke || values['no-open'],
  };
}

async function build() {
  const child = spawn(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error('The build failed; see above.');
}

/** A copy of the sample that the user may change. */
async function sampleFolder() {
  const folder = path.join(dataDir, 'workspace');
  await cp(path.join(root, 'test', 'fixtures', 'workspace'), folder, { recursive: true, force: false });
  // It lies inside this repository; VS Code would ask whether to open that.
  const settings = path.join(folder, '.vscode', 'settings.json');
  await mkdir(path.dirname(settings), { recursive: true });
  const text = `${JSON.stringify({ 'git.openRepositoryInParentFolders': 'never' }, undefined, 2)}\n`;
  await writeFile(settings, text, { flag: 'wx' }).catch((error) => {
    // The user's own by now.
    if (error.code !== 'EEXIST') throw error;
  });
  return folder;
}

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
