// What it costs to tell who wrote each line of a file of 10,000 lines with 300 recorded edits.
//   npm run bench:lines
import type { FileVersion } from '../src/engine/effects.ts';
import { FileTrack } from '../src/lineOrigins/fileTrack.ts';
import { originsIn } from '../src/lineOrigins/lineOrigin.ts';
import type { FileMoment } from '../src/lineOrigins/recordedFiles.ts';
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
