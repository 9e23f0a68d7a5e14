// npm run lint: ESLint in two processes side by side, each with the programs of its own half; `-- sources` or `-- rest` is
// one of them. ESLint's own workers take the files one by one, so that neighbors, which share types, come into both.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from './host/paths.mjs';

const eslint = path.join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');

/** About half of the work, all of it in one program. The pages, which have another, go with the rest. */
const half = ['src', 'bench', 'test/ui'];
const pages = 'src/webview';

/** @type {Record<string, string[]>} */
const halves = {
  sources: [...half, '--ignore-pattern', `${pages}/`],
  rest: [
    '.',
    ...['src/*', ...half.slice(1), `!${pages}`].flatMap((pattern) => ['--ignore-pattern', pattern]),
  ],
};

/** @param {string} name of a half */
async function lint(name) {
  const cache = path.join('node_modules', '.cache', 'eslint', name);
  const options = ['--max-warnings=0', '--cache', '--cache-strategy=content', `--cache-location=${cache}`];
  const command = [eslint, ...(halves[name] ?? []), ...options];
  const [status] = await once(spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }), 'exit');
  if (status !== 0) process.exitCode = 1;
}

const [wanted] = process.argv.slice(2);
await Promise.all(
  Object.keys(halves)
    .filter((name) => !wanted || name === wanted)
    .map(lint),
);
