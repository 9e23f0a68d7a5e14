// What it costs to tell who wrote each line of a file of 10,000 lines with 300 recorded edits, and with 300 commits
// between them.
//   npm run bench:lines
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileVersion } from '../src/engine/effects.ts';
import { GitFileHistory } from '../src/host/node/gitFileHistory.ts';
import { CommittedTexts } from '../src/lineOrigins/committedTexts.ts';
import { FileTrack } from '../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../src/lineOrigins/lineOrigin.ts';
import type { FileMoment } from '../src/lineOrigins/recordedFiles.ts';
import { utf8TextOf } from '../src/lineOrigins/utf8Text.ts';
import { median, report } from './measure.ts';

const LINES = 10_000;
const EDITS = 300;

/** The same numbers each time. */
let seed = 7;
const random = (below: number): number =>
  Math.floor(((seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647) * below);

const location = { folder: 'file:///work', path: 'large.ts' };
let made = 0;
const line = (): string =>
  `  const value${(made += 1)} = compute(input.member${random(500)}, ${random(1_000)});\n`;
const lines = Array.from({ length: LINES }, line);

const texts = new Map<string, string>();
const version = (hash: string): FileVersion => {
  // One flat string, as it is read from a file.
  const text = Buffer.from(lines.join('')).toString();
  texts.set(hash, text);
  return { hash, size: text.length };
};

const moments: FileMoment[] = [];
let before = version('0');
for (let number = 1; number <= EDITS; number++) {
  // A step replaces some lines in two places; every tenth time, the user has changed a line before.
  if (number % 10 === 0) {
    lines[random(lines.length)] = line();
    before = version(`user ${number}`);
  }
  for (let place = 0; place < 2; place++) {
    lines.splice(random(lines.length), random(6), ...Array.from({ length: random(8) }, line));
  }
  const after = version(String(number));
  const edit = { chatId: 'chat', messageId: String(number), location, before, after, at: number };
  moments.push({ ...{ location, at: number, before, after }, edit });
  before = after;
}
lines[5_000] = '  // The user is typing here.\n';
const now = lines.join('');

const read = ({ hash }: FileVersion) => Promise.resolve(texts.get(hash));
const follow = (): Promise<FileTrack> => FileTrack.of(moments, { read });
const marked = (track: FileTrack): number =>
  originsIn(track.now(location, now, undefined), track.writers).length;

const track = await follow();
console.log(`        ${lines.length} lines, ${EDITS} edits, ${marked(track)} lines that runs wrote`);
report(
  'All edits followed, and the lines marked',
  await median(9, async () => marked(await follow())),
  50,
  'ms',
);
report('Lines marked again after a change', await median(21, () => marked(track)), 20, 'ms');

// A user who changes two lines after each edit, commits, changes one of them again, and leaves the rest to the next edit.
const top = await mkdtemp(path.join(tmpdir(), 'offshoot-lines-'));
const git = (args: readonly string[], input?: string): void => {
  const { status, stderr } = spawnSync('git', args, { cwd: top, input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};
const commits: string[] = [];
const committedLocation = { folder: pathToFileURL(top).href, path: 'large.ts' };
const committedMoments: FileMoment[] = [];
before = version('start');
for (let number = 1; number <= EDITS; number++) {
  const at = number * 60_000;
  lines.splice(random(lines.length), random(6), ...Array.from({ length: 3 }, line));
  const after = version(`step ${number}`);
  const edit = { chatId: 'chat', messageId: String(number), location: committedLocation, before, after, at };
  committedMoments.push({ location: committedLocation, at, before, after, edit });
  const place = random(lines.length);
  lines[place] = line();
  lines[random(lines.length)] = line();
  const text = lines.join('');
  commits.push(
    `commit refs/heads/main\ncommitter a <a@b.test> ${at / 1_000 + 20} +0000\ndata 0\nM 644 inline large.ts\ndata ${text.length}\n${text}\n`,
  );
  lines[place] = line();
  before = version(`user ${number}`);
}
git(['init', '--quiet', '--initial-branch=main']);
git(['fast-import', '--quiet'], commits.join(''));
git(['checkout', '--quiet', 'main']);
commits.length = 0;

const history = new GitFileHistory();
const present = lines.join('');
const withCommits = async (known: GitFileHistory): Promise<FileTrack> => {
  const file = await known.open(committedLocation, 0);
  if (file?.past.versions.length !== EDITS) throw new Error('git does not know the commits.');
  const committed = new CommittedTexts(file, committedLocation, utf8TextOf, (error) => {
    throw error;
  });
  const made = await FileTrack.of(committedMoments, { read, committed });
  await made.followCommits(committedLocation, committed, undefined);
  file.dispose();
  return made;
};
const [without, withGit] = [await FileTrack.of(committedMoments, { read }), await withCommits(history)];
const linesOf = (each: FileTrack): number =>
  originsIn(each.now(committedLocation, present, undefined), each.writers).length;
console.log(`        ${EDITS} commits: ${linesOf(withGit)} lines, ${linesOf(without)} without git`);
report(
  'The same without git',
  await median(5, async () => linesOf(await FileTrack.of(committedMoments, { read }))),
  400,
  'ms',
);
report(
  'All edits and commits followed, with what git says',
  await median(5, async () => linesOf(await withCommits(new GitFileHistory()))),
  2_000,
  'ms',
);
report(
  'What git says, asked again',
  await median(21, async () => (await history.open(committedLocation, 0))?.dispose()),
  20,
  'ms',
);
report('Lines marked again after a change, with commits', await median(21, () => linesOf(withGit)), 40, 'ms');
await rm(top, { recursive: true, force: true });
