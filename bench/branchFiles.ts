// What the files of a branch cost in a repository of 50,000 files, next to `git worktree add`.
//   npm run bench:branches
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

/** In milliseconds. */
interface Cost {
  readonly wall: number;
  /** Of this process and those that it has started, which other work on the machine makes no longer. */
  readonly cpu: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const before = cpuTime();
  const wall = await median(1, work);
  return { wall, cpu: cpuTime() - before };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  // After the name, which may have anything in it: fields 3 and on, 16 and 17 those of children, in hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  return (user + system) / 1_000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

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

// Nothing is removed in between: where many files were just deleted, ext4 takes up to ten times as long to create others.
let trees = 0;

async function bareWorktree(): Promise<Cost> {
  trees += 1;
  const other = path.join(workspace.storage, `worktree${trees}`);
  const add = ['worktree', 'add', '-q', '--detach', other];
  const cost = await costOf(() => run('git', add, { cwd: workspace.root }));
  await run('sync');
  return cost;
}

let id = '';

async function ownFiles(): Promise<Cost> {
  const cost = await costOf(async () => {
    ({ id } = await branches.make({ chatId: 'c', folders: workspace.folders(), limits }));
  });
  await run('sync');
  return cost;
}

const pairs: { readonly bare: Cost; readonly made: Cost }[] = [];
for (let pair = 0; pair < PAIRS; pair++) {
  // What comes second finds more in memory, and other programs at work.
  if (pair % 2 === 0) pairs.push({ bare: await bareWorktree(), made: await ownFiles() });
  else {
    const made = await ownFiles();
    pairs.push({ made, bare: await bareWorktree() });
  }
}
const ratioOf = (of: keyof Cost): number => middle(pairs.map(({ bare, made }) => made[of] / bare[of]));
const listed = (of: keyof Cost): string =>
  pairs.map(({ bare, made }) => `${made[of].toFixed(0)} / ${bare[of].toFixed(0)} ms`).join(', ');
report('files of a branch, next to git worktree add', ratioOf('wall'), 1.3, '×', listed('wall'));
tell('the same in time of processors', ratioOf('cpu'), '×', listed('cpu'));
tell('its changes', await median(1, () => branches.changes(id)), 'ms');
const { stdout } = await run('du', ['-sm', path.join(workspace.storage, 'branches', id, 'files/0/git')]);
console.log(`        its repository: ${stdout.split('\t')[0]} MB`);
tell('discarding', await median(1, () => branches.discard(id)), 'ms');
await rm(workspace.storage, { recursive: true, force: true });
