import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The path of the editor's own ripgrep, which has been in different packages over time; undefined in an editor
 * without it.
 */
export function ripgrepPath(appRoot: string): string | undefined {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) => [
    path.join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    path.join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name),
    path.join(appRoot, folder, 'vscode-ripgrep', 'bin', name),
  ]);
  return packages.find((file) => existsSync(file));
}
