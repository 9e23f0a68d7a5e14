import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { hostDir } from './paths.mjs';

const run = promisify(execFile);

/** Where Debian and others put a Chromium of their own. */
const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/**
 * @typedef {object} Chromium
 * @property {string} executablePath
 * @property {Record<string, string>} env what it needs on top of the process's environment
 */

/**
 * Unpacks the Chromium that npm brought. When that fails, a browser of the system may still do, so it only warns.
 * @param {string} host the folder the host is being built in
 */
export async function unpackChromium(host) {
  const unpacked = path.join(host, 'chromium');
  await mkdir(unpacked, { recursive: true });
  const entry = pathToFileURL(path.join(host, 'node_modules/@sparticuz/chromium/build/index.js')).href;
  const script = `import chromium from ${JSON.stringify(entry)}; await chromium.executablePath();`;
  try {
    // A process of its own, since the package reads both variables: where to unpack, and to unpack the system libraries too.
    await run(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: unpacked, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' },
    });
  } catch (error) {
    console.warn(`Warning: the Chromium from npm was not unpacked: ${error.message}`);
  }
}

/** @type {Promise<Chromium> | undefined} */
let found;

/** The first browser that starts: `CHROME_PATH`, else the one from npm, else one of the system. */
export function findChromium() {
  found ??= search();
  return found;
}

async function search() {
  const failures = [];
  for (const candidate of candidates()) {
    try {
      await run(candidate.executablePath, ['--version'], { env: { ...process.env, ...candidate.env } });
      return candidate;
    } catch (error) {
      failures.push(`  ${candidate.executablePath}: ${error.message.trim().split('\n').at(-1)}`);
    }
  }
  throw new Error(
    `No Chromium that starts was found.\n${failures.join('\n')}\n` +
      'Install one (on Debian: `apt install chromium`) or set CHROME_PATH to its executable.',
  );
}

/** @returns {Chromium[]} */
function candidates() {
  if (process.env.CHROME_PATH) return [{ executablePath: process.env.CHROME_PATH, env: {} }];
  const unpacked = path.join(hostDir, 'chromium');
  return [
    {
      executablePath: path.join(unpacked, 'chromium'),
      env: {
        LD_LIBRARY_PATH: [path.join(unpacked, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
          .filter(Boolean)
          .join(path.delimiter),
      },
    },
    ...systemBrowsers.map((executablePath) => ({ executablePath, env: {} })),
  ].filter(({ executablePath }) => existsSync(executablePath));
}
