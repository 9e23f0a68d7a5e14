// npm run typecheck: the ids of package.json, and the types of every project. Goes on after a failure.
import { spawnSync } from 'node:child_process';
import { root } from './host/paths.mjs';
import { nativeCompiler, typedProjects } from './test/types.mjs';

const commands = [
  ['scripts/ids.mjs', '--check'],
  ...Object.values(typedProjects).map((project) => [nativeCompiler, '-p', project]),
];
for (const command of commands) {
  const { status, error } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exitCode = 1;
}
