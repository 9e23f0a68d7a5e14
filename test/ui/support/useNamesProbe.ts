import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './host.ts';

/**
 * Builds an extension that shows hostile names by our wrappers, for the workbench of the enclosing `describe`.
 * @returns folders of extensions, to which it is added before the tests; give it to the workbench as it is
 */
export function useNamesProbe(): string[] {
  const linked: string[] = [];
  before('build the probe', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-probe-'));
    const from = path.join(root, 'test', 'fixtures', 'names-probe');
    await cp(path.join(from, 'package.json'), path.join(folder, 'package.json'));
    await build({
      entryPoints: [path.join(from, 'extension.ts')],
      outfile: path.join(folder, 'extension.cjs'),
      bundle: true,
      platform: 'node',
      external: ['vscode'],
    });
    linked.push(folder);
  });
  after('remove the probe', async () => {
    for (const folder of linked) await rm(folder, { recursive: true, force: true });
  });
  return linked;
}
