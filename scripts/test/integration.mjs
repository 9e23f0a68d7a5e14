// Runs the integration tests in an extension host: the local VS Code's, or a desktop's when one is asked for.
//   VSCODE_EXECUTABLE=/path/to/code   a desktop that is there
//   OFFSHOOT_DESKTOP=1                a desktop downloaded by @vscode/test-electron, as on systems without a local one
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { isHostSupported } from '../host/install.mjs';
import { root } from '../host/paths.mjs';

const localVsCode = path.join(root, 'scripts', 'host', 'vscode.mjs');
const desktop = process.env.OFFSHOOT_DESKTOP || !isHostSupported ? undefined : localVsCode;

const temporary = await mkdtemp(path.join(tmpdir(), 'offshoot-integration-'));
try {
  // A copy, since tests write into their workspace.
  const workspace = path.join(temporary, 'workspace');
  await cp(path.join(root, 'test', 'fixtures', 'workspace'), workspace, { recursive: true });
  process.exitCode = await runTests({
    vscodeExecutablePath: process.env.VSCODE_EXECUTABLE ?? desktop,
    extensionDevelopmentPath: [root, path.join(root, 'test', 'fixtures', 'lm-provider')],
    extensionTestsPath: path.join(root, 'out', 'test', 'integration', 'index.cjs'),
    launchArgs: [workspace],
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(temporary, { recursive: true, force: true });
}
