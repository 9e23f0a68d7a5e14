// npm run fuzz: the fuzz tests, longer. `npm run fuzz -- 200` runs each two hundred times as often as `npm test` does,
// `npm run fuzz -- 100 "several engines"` those alone whose title has these words.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './host/paths.mjs';

const [given = '30', words = ''] = process.argv.slice(2);
const times = Number(given);
if (!Number.isInteger(times) || times < 1) {
  console.error('npm run fuzz -- <how many times as often as npm test> [words of the titles]');
  process.exit(2);
}
const tests = path.join(root, 'scripts', 'test.mjs');
// Of those that are named, the ones in a browser are left to the whole run.
const parts = words === '' ? ['unit', 'ui'] : ['unit'];
const child = spawn(process.execPath, [tests, ...parts, '--grep', `^(?=.*fuzz).*${words}`], {
  stdio: 'inherit',
  env: { ...process.env, OFFSHOOT_FUZZ: String(times) },
});
child.once('close', (code) => process.exit(code ?? 1));
