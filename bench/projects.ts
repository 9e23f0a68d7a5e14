// How long a window waits until it knows which conversations are of its folders, among those of 5,000 workspaces.
//   npm run bench -- projects
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodePlatform } from '../src/host/node/nodePlatform.ts';
import { ProjectIndex } from '../src/store/projects/projectIndex.ts';
import { manyProjects, projectFolder, projectRecord } from '../test/fixtures/projectFolders.ts';
import { median, report } from './measure.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-bench-'));
const index = new ProjectIndex(nodePlatform('dist'), path.join(folder, 'index'));
const app = projectFolder('app');
const records = [...manyProjects(5_000), projectRecord('file:///p/this/x', [app])];
await index.rewrite(records);
const whole = path.join(folder, 'whole.json');
await writeFile(whole, JSON.stringify(records));
const find = await median(30, () => index.find([app]));
const all = await median(30, async () => JSON.parse(await readFile(whole, 'utf8')) as unknown);
report(
  'finding a project among 5,000',
  find,
  5,
  'ms',
  `${all.toFixed(2)} ms to read all of them from one file`,
);
await rm(folder, { recursive: true });
