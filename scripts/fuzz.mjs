// npm run fuzz: the fuzz tests, longer. `npm run fuzz -- 200` runs each two hundred times as often as `npm test` does.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root } from './host/paths.mjs';

const times = Number(process.argv[2] ?? 30);
if (!Number.isInteger(times) || times < 1) {
  console.error('npm run fuzz -- <how many times as often as npm test>');
  process.exit(2);
}
const tests = path.join(root, 'scripts', 'test.mjs');
const child = spawn(process.execPath, [tests, 'unit', 'ui', '--grep', 'fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, OFFSHOOT_FUZZ: String(times) },
});
child.once('close', (code) => process.exit(code ?? 1));
