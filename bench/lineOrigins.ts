// What it costs to tell who wrote each line of a file of 10,000 lines with 300 recorded edits, with 500 messages of
// imported sessions that edited it, and with 300 commits between the edits.
//   npm run bench:lines
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { ContextEngine } from '../src/engine/contextEngine.ts';
import type { FileVersion } from '../src/engine/effects.ts';
import { assistant, user } from '../src/engine/fragments/index.ts';
import { GitHistory } from '../src/host/node/gitHistory.ts';
import { nodePlatform } from '../src/host/node/nodePlatform.ts';
import type { MessageData } from '../src/engine/graph.ts';
import { CommittedTexts } from '../src/lineOrigins/committedTexts.ts';
import { importedEdits, importedLines } from '../src/lineOrigins/importedLines.ts';
import { FileTrack } from '../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../src/lineOrigins/lineOrigin.ts';
import { LineOrigins } from '../src/lineOrigins/lineOrigins.ts';
import type { FileMoment } from '../src/lineOrigins/recordedFiles.ts';
import { utf8TextOf } from '../src/lineOrigins/utf8Text.ts';
import { DurableContextStore } from '../src/store/durableContextStore.ts';
import { sqliteWasm } from '../test/fixtures/wasm.ts';
import { least, median, report, tell } from './measure.ts';

const LINES = 10_000;
const EDITS = 300;
const MESSAGES = 500;

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

// As in an editor: from a store in a folder, with each version in a file of its own.
const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-bench-'));
const store = new DurableContextStore({
  folder,
  platform: { ...nodePlatform('dist'), snapshots: undefined, wasm: sqliteWasm },
  onRecovery: ({ outcome }) => {
    throw new Error(`The files are damaged: ${outcome}`);
  },
  onError: (error) => console.error(error),
});
const engine = new ContextEngine({ store, chatId: 'chat', userId: 'me' });
const kept = async (version: FileVersion): Promise<FileVersion> => {
  const bytes = new TextEncoder().encode(texts.get(version.hash));
  return { hash: await store.blobs.put(bytes), size: bytes.length };
};
for (const { before: was, after: is, at } of moments) {
  if (!was || !is) continue;
  engine.files.add({ ...location, at, before: await kept(was), after: await kept(is) });
  await engine.set(user('change it'), assistant('done', { id: String(at) })).save();
}
const busy: number[] = [];
const fromStore = await median(5, async () => {
  const origins = new LineOrigins(store, 'me', utf8TextOf);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const { lines: told } = await origins.of(location, now);
  loop.disable();
  if (told.length !== marked(track)) throw new Error('Other lines are told from the store.');
  busy.push(loop.max / 1e6);
  origins.dispose();
});
tell(
  'The same from a store in a folder',
  fromStore,
  'ms',
  `busy for ${Math.max(...busy).toFixed(1)} ms at most`,
);
await store.close();
await rm(folder, { recursive: true });

// A session that wrote the file once, and edited it again and again.
const session = Array.from({ length: MESSAGES }, (_, number): MessageData => {
  const from = random(lines.length - 10);
  const new_string = lines.slice(from, from + 10).join('');
  const input =
    number === 0
      ? { file_path: '/work/large.ts', content: now }
      : { file_path: '/work/large.ts', old_string: line(), new_string };
  const call = { type: 'dynamic-tool', toolName: number === 0 ? 'Write' : 'Edit', toolCallId: '1', input };
  const parts = [{ ...call, state: 'output-available', output: 'ok' }];
  return {
    ...{ id: String(number), chatId: 'imported', name: 'assistant', type: 'message', depth: number },
    ...{ parentId: null, createdAt: number, invocationId: '', replaces: undefined, effects: undefined },
    data: { id: String(number), role: 'assistant', parts },
  };
});
const event = {
  sequence: 1,
  chatId: 'imported',
  kind: 'chat-created',
  userId: 'me',
  branch: 'main',
} as const;
const created = { ...event, messageId: undefined, createdAt: MESSAGES, details: { imported: true } };
const log = { listEvents: () => Promise.resolve([created]) };
const edits = await importedEdits(log, location.path, session);
console.log(`        ${MESSAGES} messages, ${importedLines(edits, now).size} lines that they wrote`);
report(
  'Edits of imported messages read, and the lines marked',
  await least(15, async () => importedLines(await importedEdits(log, location.path, session), now).size),
  50,
  'ms',
);
report(
  'Those lines marked again after a change',
  await least(31, () => importedLines(edits, now).size),
  20,
  'ms',
);

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

const history = new GitHistory();
const present = lines.join('');
const withCommits = async (known: GitHistory): Promise<FileTrack> => {
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
  await median(5, async () => linesOf(await withCommits(new GitHistory()))),
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
