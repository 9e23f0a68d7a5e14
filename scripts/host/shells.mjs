import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withLock } from './lock.mjs';
import { cacheDir } from './paths.mjs';

const run = promisify(execFile);

/**
 * Where shells are unpacked that the system lacks, and what walls commands in: `bin` has a program for each;
 * test/fixtures/shells.ts looks there.
 */
const shellsDir = path.join(cacheDir, 'shells');

/**
 * The shells that commands of the agent are tried in, and bubblewrap: what a Debian may lack, with the packages that have
 * them and the libraries that a bare system lacks too. They are unpacked, not installed: that needs no root and changes nothing.
 */
const packages = {
  zsh: ['zsh', 'zsh-common', 'libcap2', 'libtinfo6'],
  fish: ['fish', 'fish-common', 'libpcre2-32-0', 'libtinfo6'],
  // There is none for other systems.
  ...(process.platform === 'linux'
    ? { bwrap: ['bubblewrap', 'libcap2', 'libselinux1', 'libpcre2-8-0'] }
    : {}),
};

/**
 * Puts zsh, fish and bubblewrap in place unless they are there. Where that cannot be done it only warns: the tests that need them
 * fail then, and say how to get them. Nothing is skipped.
 */
export async function ensureShells() {
  if (process.platform === 'win32') return;
  const missing = () => Object.entries(packages).filter(([name]) => !isThere(name));
  if (missing().length === 0) return;
  await withLock(
    `${shellsDir}.lock`,
    async () => {
      for (const [name, needed] of missing()) await unpack(name, needed);
    },
    (pid) => console.log(`Waiting for process ${pid ?? '(unknown)'}, which is unpacking shells…`),
  );
}

/** @param {string} name */
function isThere(name) {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), path.join(shellsDir, 'bin')];
  return folders.some((folder) => {
    try {
      if (folder === '') return false;
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * @param {string} name
 * @param {readonly string[]} needed
 */
async function unpack(name, needed) {
  console.log(`Unpacking ${name} for the tests (once)…`);
  const partial = path.join(shellsDir, `${name}.partial`);
  const place = path.join(shellsDir, name);
  try {
    await rm(partial, { recursive: true, force: true });
    await download(needed, path.join(partial, 'packages'));
    for (const file of await readdir(path.join(partial, 'packages'))) {
      if (!file.endsWith('.deb')) continue;
      await run('dpkg-deb', ['-x', path.join(partial, 'packages', file), path.join(partial, 'root')]);
    }
    await rm(path.join(partial, 'packages'), { recursive: true });
    await rm(place, { recursive: true, force: true });
    await rename(partial, place);
    await writeStarter(name, path.join(place, 'root'));
  } catch (error) {
    console.warn(
      `Warning: ${name} could not be unpacked: ${error.message.trim()}\n` +
        `The tests that need it will fail. Install it (\`apt-get install ${needed[0]}\`, \`brew install ${needed[0]}\`), or let ` +
        'apt-get reach the packages of this system, and run this again.',
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * Downloads packages with the lists that the system has of them, else with new ones that only this uses.
 * @param {readonly string[]} names the first is the shell; the libraries may be there already
 * @param {string} folder
 */
async function download([shell = '', ...libraries], folder) {
  await mkdir(folder, { recursive: true });
  /** @param {string[]} options */
  const get = async (options) => {
    await run('apt-get', [...options, 'download', shell], { cwd: folder });
    for (const library of libraries) {
      await run('apt-get', [...options, 'download', library], { cwd: folder }).catch(() => {
        // Another release has another name for it. Whether the shell starts without it is tried in the end.
      });
    }
  };
  const asMe = ['-o', `APT::Sandbox::User=${userInfo().username}`];
  try {
    await get(asMe);
  } catch {
    const own = path.join(folder, 'apt');
    for (const name of ['state/lists/partial', 'cache/archives/partial']) {
      await mkdir(path.join(own, name), { recursive: true });
    }
    const options = [
      ...asMe,
      ...['-o', `Dir::State=${path.join(own, 'state')}`, '-o', 'Dir::State::status=/var/lib/dpkg/status'],
      ...['-o', `Dir::Cache=${path.join(own, 'cache')}`],
    ];
    await run('apt-get', [...options, 'update'], { maxBuffer: 10_000_000 });
    await get(options);
  }
}

/**
 * A program that starts the unpacked shell with its libraries, and a try of it.
 * @param {string} name
 * @param {string} root
 */
async function writeStarter(name, root) {
  const program = ['usr/bin', 'bin']
    .map((folder) => path.join(root, folder, name))
    .find((file) => existsSync(file));
  if (program === undefined) throw new Error(`its package has no ${name}`);
  /** Found from the starter, so that the folder can be moved and copied. @param {string} file */
  const fromStarter = (file) => `"$here"/'${path.relative(shellsDir, file)}'`;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) =>
    existsSync(path.join(root, folder))
      ? readdirSync(path.join(root, folder))
          .filter((each) => each.endsWith('-linux-gnu'))
          .map((each) => fromStarter(path.join(root, folder, each)))
      : [],
  );
  const bin = path.join(shellsDir, 'bin');
  await mkdir(bin, { recursive: true });
  const starter = path.join(bin, `${name}.new`);
  await writeFile(
    starter,
    [
      '#!/bin/sh',
      'here=$(cd "${0%/*}/.." && pwd)',
      `LD_LIBRARY_PATH=${libraries.join(':')}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}`,
      'export LD_LIBRARY_PATH',
      `exec ${fromStarter(program)} "$@"`,
      '',
    ].join('\n'),
  );
  await chmod(starter, 0o755);
  await run(starter, name === 'bwrap' ? ['--version'] : ['-c', 'exit 0']);
  await rename(starter, path.join(bin, name));
}
