// What the files of a branch cost in a repository of 50,000 files, next to `git worktree add`.
//   npm run bench:branches
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { branchFilesOf } from '../test/worlds/branchFilesWorld.ts';
import { script } from '../test/worlds/gitRepository.ts';
import { TestWorkspace } from '../test/worlds/testWorkspace.ts';
import { median, middle, report, tell } from './measure.ts';

const FOLDERS = 500;
const FILES_PER_FOLDER = 100;
const PAIRS = 5;

const run = promisify(execFile);
await using workspace = await TestWorkspace.create();
for (let folder = 0; folder < FOLDERS; folder++) {
  const place = workspace.at(`part${folder % 25}/module${folder}`);
  await mkdir(place, { recursive: true });
  for (let file = 0; file < FILES_PER_FOLDER; file++) {
    const line = `export const value${folder}_${file} = ${Math.sin(folder * FILES_PER_FOLDER + file)};\n`;
    await writeFile(path.join(place, `file${file}.ts`), line.repeat(10 + file));
  }
}
await script(
  workspace,
  'git init -q && git config gc.auto 0 && git add -A && git commit -qm first && git gc -q && sync',
);
await workspace.put('part0/module0/file0.ts', 'changed\n');
await workspace.put('new.txt', 'new\n');

const branches = branchFilesOf(workspace);
const limits = { link: ['node_modules'], copy: ['.env'], maxFiles: 50_000, maxBytes: 1_000_000_000 };
const ratios: number[] = [];
const times: { bare: number; made: number }[] = [];
for (let pair = 0; pair < PAIRS; pair++) {
  const other = `${workspace.root}-other`;
  const bare = await median(1, () =>
    run('git', ['worktree', 'add', '-q', '--detach', other], { cwd: workspace.root }),
  );
  await run('git', ['worktree', 'remove', '--force', other], { cwd: workspace.root });
  await run('sync');
  let id = '';
  const made = await median(1, async () => {
    ({ id } = await branches.make({ chatId: 'c', folders: workspace.folders(), limits }));
  });
  if (pair === PAIRS - 1) {
    tell('its changes', await median(1, () => branches.changes(id)), 'ms');
    const { stdout } = await run('du', ['-sm', path.join(workspace.storage, 'branches', id, 'files/0/git')]);
    console.log(`        its repository: ${stdout.split('\t')[0]} MB`);
    tell('discarding', await median(1, () => branches.discard(id)), 'ms');
  }
  await branches.remove(id);
  await run('sync');
  ratios.push(made / bare);
  times.push({ bare, made });
}
report(
  'files of a branch, next to git worktree add',
  middle(ratios),
  1.3,
  '×',
  times.map(({ bare, made }) => `${made.toFixed(0)} / ${bare.toFixed(0)} ms`).join(', '),
);
await rm(workspace.storage, { recursive: true, force: true });
