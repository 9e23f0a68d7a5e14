// npm run lint: ESLint in two processes side by side, each with the programs of its own half. Arguments, such as `--fix`,
// go to both. ESLint's own workers take the files one by one, so that neighbors, which share types, come into both.
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

await Promise.all(
  Object.entries(halves).map(async ([name, files]) => {
    const cache = path.join('node_modules', '.cache', 'eslint', name);
    const options = [
      '--max-warnings',
      '0',
      '--cache',
      '--cache-strategy',
      'content',
      '--cache-location',
      cache,
    ];
    const command = [eslint, ...files, ...options, ...process.argv.slice(2)];
    const [status] = await once(spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }), 'exit');
    if (status !== 0) process.exitCode = 1;
  }),
);
