import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { cacheDir } from '../host/paths.mjs';

/**
 * A desktop VS Code of the project's own, for systems on which the local one doesn't run.
 * @returns {Promise<string[]>} its command, and the arguments that keep its settings and chats in the same folder
 */
export async function fetchDesktop() {
  console.log('No desktop VS Code was found, so one is downloaded into .vscode-test (once)…');
  return resolveCliArgsFromVSCodeExecutablePath(await downloadAndUnzipVSCode({ cachePath: cacheDir }));
}
