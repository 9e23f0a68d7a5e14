import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hostDir, vscodeDir } from '../paths.mjs';

/** VS Code as it stands inside code-server; its web workbench is made to be served by a server it then talks to. */
export const vscodeRoot = path.join(hostDir, vscodeDir);

/** Where it says that there is a server, and what it has to say where there is none. */
const changes = [
  { what: 'its server', from: 'remoteAuthority:location.host', to: 'remoteAuthority:undefined' },
  {
    what: 'where settings are',
    from: /(get userRoamingDataHome\(\)\{return \w+\(\w+\.file\(this\.userDataPath\)\.with\(\{scheme:\w+\.)vscodeRemote\}/,
    to: '$1vscodeUserData}',
  },
];

/** The script of a workbench without a server: it runs its extensions in a worker and keeps everything in the browser. */
export async function workbenchScript() {
  const file = path.join(vscodeRoot, 'out/vs/code/browser/workbench/workbench.js');
  let script = await readFile(file, 'utf8');
  for (const { what, from, to } of changes) {
    const changed = script.replace(from, to);
    if (changed === script) throw new Error(`The workbench does not say ${what} as expected: see ${file}.`);
    script = changed;
  }
  return script;
}
