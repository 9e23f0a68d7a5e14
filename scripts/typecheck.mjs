// npm run typecheck: the ids of package.json, and the types of every project, side by side. Goes on after a failure.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { root } from './host/paths.mjs';
import { nativeCompiler, typedProjects } from './test/types.mjs';

const commands = [
  ['scripts/ids.mjs', '--check'],
  // Each checker of a project derives the types that it shares with the others once more.
  ...Object.values(typedProjects).map((project) => [nativeCompiler, '-p', project, '--checkers', '1']),
];
await Promise.all(
  commands.map(async (command) => {
    const [status] = await once(spawn(process.execPath, command, { cwd: root, stdio: 'inherit' }), 'exit');
    if (status !== 0) process.exitCode = 1;
  }),
);
