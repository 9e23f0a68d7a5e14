import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';
import { LINE } from './notices.mjs';

/**
 * The folders of the packages that bundles are made of, sorted: of two versions of one package, both.
 * @param {readonly import('esbuild').BuildResult[]} results with their metafiles
 */
export function packagesIn(results) {
  const files = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file) ?? []);
  return [...new Set(folders)].sort();
}

/**
 * Their names, versions and licenses, each with the text of the license and further notices, and once the whole text
 * of the license that many packages only refer to.
 * @param {readonly string[]} folders
 */
export async function licensesOf(folders) {
  const sections = await Promise.all(folders.map((folder) => sectionOf(path.join(root, folder))));
  const apache = await readFile(path.join(root, 'node_modules', 'crc-32', 'LICENSE'), 'utf8');
  return `${[...sections, `Where it says Apache-2.0\n\n${apache.trim()}`].join(`\n\n${LINE}\n\n`)}\n`;
}

/** @param {string} folder */
async function sectionOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = await readdir(folder);
  const own = files.filter((each) => /^(?:LICEN[CS]E|COPYING|NOTICE)(?:[-.][\w.-]+)?$/iu.test(each)).sort();
  const texts = await Promise.all(own.map((file) => readFile(path.join(folder, file), 'utf8')));
  if (texts.length === 0) texts.push(await licenseInReadme(folder));
  return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
}

/** @param {string} folder of a package without a file for it */
async function licenseInReadme(folder) {
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
  return /^#+ *licen[cs]e *\n([\s\S]*)/imu.exec(readme)?.[1] ?? 'See its license at the end.';
}
