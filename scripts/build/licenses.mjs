import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../host/paths.mjs';

/** The license texts of what the extension ships, which have to go with every copy of it. */
export const notices = 'dist/THIRD-PARTY-NOTICES.txt';

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
 * Their names, versions and licenses, each with the text of the license and further notices.
 * @param {readonly string[]} folders
 */
export async function licensesOf(folders) {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
      const files = (await readdir(path.join(root, folder))).filter((each) =>
        /^(?:LICEN[CS]E|COPYING|NOTICE)(?:[-.][\w.-]+)?$/iu.test(each),
      );
      const all = await Promise.all(files.sort().map((file) => readFile(path.join(root, folder, file), 'utf8')));
      return [`${name} ${version} (${license})`, ...all.map((text) => text.trim())].join('\n\n');
    }),
  );
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
