import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const;

/** The files of the project that use a name which is to be another. */
export const usesOldName: readonly string[] = NAMES.map((name) => `parts/${name}.js`);

/** A project with a mistake in it and a name in ten files, and tests of its own, in a git repository. */
export async function makeSampleProject(folder: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    'package.json': '{ "name": "sample", "private": true, "scripts": { "test": "node test.js" } }\n',
    '.gitignore': 'report.txt\n',
    'sum.js': 'exports.sum = (a, b) => a - b;\n',
    'names.js': "exports.oldName = 'name';\n",
    ...Object.fromEntries(
      usesOldName.map((name) => [
        name,
        "const { oldName } = require('../names');\nmodule.exports = oldName;\n",
      ]),
    ),
    'test.js': [
      "const assert = require('node:assert');",
      "const { readdirSync, writeFileSync } = require('node:fs');",
      "assert.equal(require('./sum').sum(1, 2), 3, 'sum');",
      "for (const name of readdirSync('parts')) assert.equal(require('./parts/' + name), 'name', name);",
      "writeFileSync('report.txt', 'passed\\n');",
      "console.log('all passed');",
      '',
    ].join('\n'),
  };
  await mkdir(path.join(folder, 'parts'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const git = (...args: string[]) => run('git', args, { cwd: folder });
  await git('init', '-q');
  await git('add', '.');
  await git('-c', 'user.name=Sample', '-c', 'user.email=sample@example.com', 'commit', '-qm', 'Begin');
}

/** Every file of the project by its path, but for what git keeps for itself. */
export async function projectFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.git' + path.sep))
    .sort();
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (name) => [name, await readFile(path.join(folder, name), 'base64')] as const),
    ),
  );
}
