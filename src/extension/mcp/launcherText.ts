export interface LauncherPlace {
  /** The folder with extensions, each in a folder named after it and its version. */
  readonly folder: string;
  /** How the folders of this extension begin. */
  readonly prefix: string;
  /** The program of the version that wrote the launcher. */
  readonly program: string;
  /** Use it even if others are installed: it runs from its sources. */
  readonly isFirst: boolean;
}

/** A program for Node 20 and later: it starts the newest installed version. */
export function launcherText({ folder, prefix, program, isFirst }: LauncherPlace): string {
  return `// Written by Offshoot. Starts the MCP server of the newest version that is installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = ${JSON.stringify(folder)};
const prefix = ${JSON.stringify(prefix)};
const program = ${JSON.stringify(program)};

const read = (work, otherwise) => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};
// VS Code lists here what it removes when it starts next.
const obsolete = read(() => JSON.parse(readFileSync(path.join(folder, '.obsolete'), 'utf8')), {});
const version = (name) => name.slice(prefix.length).split(/[.-]/).slice(0, 3).map(Number);
const newest = (a, b) => version(b).reduce((sum, each, index) => sum || each - version(a)[index], 0);
const installed = read(() => readdirSync(folder), [])
  .filter((name) => name.startsWith(prefix) && !obsolete[name])
  .sort(newest)
  .map((name) => path.join(folder, name, 'dist', 'mcp.mjs'));
const found = ${isFirst ? '[program, ...installed]' : '[...installed, program]'}.find((file) => existsSync(file));
if (!found) {
  console.error('Offshoot is not installed any more. Install it in VS Code, or remove its MCP server from your configuration.');
  process.exit(1);
}
await import(pathToFileURL(found).href);
`;
}
