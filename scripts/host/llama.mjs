import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmCommand } from '../npm.mjs';
import { sideBySide } from '../test/side-by-side.mjs';
import { withLock } from './lock.mjs';
import { cacheDir } from './paths.mjs';

const run = promisify(execFile);

/** Where llama.cpp's server is built, with its libraries and chat templates; test/fixtures/llama/ looks there. */
const llamaDir = path.join(cacheDir, 'llama');

/**
 * The libraries of llama.cpp, built, and its source, from which only the server is compiled (a minute on two cores).
 * Neither is a dependency of the project. 45 MB are downloaded.
 */
const packages = { '@node-llama-cpp/linux-x64': '3.21.1', 'node-llama-cpp': '3.21.1' };

const stamp = 'built.json';

/** As the libraries were built. */
const defines = ['GGML_BACKEND_SHARED', 'GGML_SHARED', 'LLAMA_SHARED'];
const includes = ['tools/server', 'tools/mtmd', '.', 'common', 'include', 'ggml/include', 'vendor', 'src'];

/** In place of the page that the server would show. */
const noPage = `#pragma once
#include <string>
#include <vector>
struct llama_ui_asset { std::string name; };
inline std::vector<llama_ui_asset> llama_ui_get_assets() { return {}; }
`;

/** There are built libraries for other systems, but nothing was tried there. */
export const isLlamaSupported = process.platform === 'linux' && process.arch === 'x64';

/**
 * Puts llama.cpp's server in place unless it is there. Where that cannot be done it only warns: the tests that need it
 * fail then, and say how to get it. Nothing is skipped.
 */
export async function ensureLlamaServer() {
  if (!isLlamaSupported || (await isBuilt())) return;
  await withLock(
    `${llamaDir}.lock`,
    async () => {
      if (!(await isBuilt())) await build();
    },
    (pid) => console.log(`Waiting for process ${pid ?? '(unknown)'}, which is building llama.cpp’s server…`),
  );
}

async function isBuilt() {
  const built = await readFile(path.join(llamaDir, stamp), 'utf8').catch(() => undefined);
  return built === JSON.stringify(packages);
}

async function build() {
  const started = Date.now();
  console.log('Building llama.cpp’s server for the tests (once, about a minute)…');
  const partial = `${llamaDir}.partial`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(path.join(partial, 'objects'), { recursive: true });
    await unpack(partial);
    await compile(partial);
    await link(partial);
    await cp(path.join(partial, 'source', 'models', 'templates'), path.join(partial, 'llama', 'templates'), {
      recursive: true,
    });
    await writeFile(path.join(partial, 'llama', stamp), JSON.stringify(packages));
    await rm(llamaDir, { recursive: true, force: true });
    await rename(path.join(partial, 'llama'), llamaDir);
    console.log(`llama.cpp’s server is in place (${Math.round((Date.now() - started) / 1000)} s).`);
  } catch (error) {
    console.warn(
      `Warning: llama.cpp’s server could not be built: ${error.message.trim().slice(0, 2_000)}\n` +
        'The tests that need it will fail. They take npm’s registry, git, tar, nm and g++ (`apt-get install g++`).',
    );
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @param {string} partial */
async function unpack(partial) {
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const { command, args, shell } = npmCommand(['pack', '--silent', ...names]);
  await run(command, args, { cwd: partial, shell });
  for (const file of await readdir(partial)) {
    if (file.endsWith('.tgz')) await run('tar', ['-xzf', file], { cwd: partial });
  }
  const bundle = path.join('package', 'llama', 'gitRelease.bundle');
  await run('git', ['clone', '--quiet', bundle, 'source'], { cwd: partial });
  const libraries = path.join(partial, 'package', 'bins', 'linux-x64');
  await mkdir(path.join(partial, 'llama'));
  for (const file of await readdir(libraries)) {
    if (file.endsWith('.so')) await copyFile(path.join(libraries, file), path.join(partial, 'llama', file));
  }
}

/** @param {string} partial */
async function compile(partial) {
  const source = path.join(partial, 'source');
  await writeFile(path.join(source, 'tools', 'server', 'ui.h'), noPage);
  const files = await readdir(path.join(source, 'tools', 'server'));
  const units = files.filter((file) => file.endsWith('.cpp'));
  await sideBySide(units, availableParallelism(), async (file) => {
    const object = path.join(partial, 'objects', file.replace(/\.cpp$/, '.o'));
    await run(
      'g++',
      [
        ...['-std=c++17', '-O0', '-w', '-c', path.join('tools', 'server', file), '-o', object],
        ...defines.map((name) => `-D${name}`),
        ...includes.map((folder) => `-I${folder}`),
      ],
      { cwd: source },
    );
  });
}

/** @param {string} partial */
async function link(partial) {
  const objects = (await readdir(path.join(partial, 'objects'))).map((file) => path.join('objects', file));
  const libraries = (await readdir(path.join(partial, 'llama')))
    .filter((file) => file.endsWith('.so') && !file.startsWith('libggml-cpu-'))
    .map((file) => path.join('llama', file));
  await writeFile(path.join(partial, 'pictures.s'), await noPictures(partial, objects));
  await run(
    'g++',
    [
      ...['-o', path.join('llama', 'llama-server'), ...objects, 'pictures.s', ...libraries, '-lpthread'],
      ...['-Wl,-rpath,$ORIGIN', '-Wl,-rpath-link,llama'],
    ],
    { cwd: partial },
  );
  // Whether it starts at all.
  await run(path.join(partial, 'llama', 'llama-server'), ['--version']);
}

/**
 * What the server calls for pictures and sound is in a library that no package has built. No test sends either: each of
 * its functions returns 0.
 * @param {string} partial
 * @param {readonly string[]} objects
 */
async function noPictures(partial, objects) {
  const { stdout } = await run('nm', ['-P', ...objects], { cwd: partial, maxBuffer: 100_000_000 });
  const symbols = stdout.split('\n').map((line) => line.split(' '));
  const defined = new Set(symbols.filter(([, kind]) => kind !== 'U').map(([name]) => name));
  const called = symbols.filter(([name = '', kind]) => kind === 'U' && name.includes('mtmd'));
  const missing = new Set(called.map(([name]) => name).filter((name) => !defined.has(name)));
  return [
    '.text',
    ...[...missing].flatMap((name) => [`.globl ${name}`, `${name}:`, 'xor %eax,%eax', 'ret']),
    '.section .note.GNU-stack,"",@progbits',
    '',
  ].join('\n');
}
