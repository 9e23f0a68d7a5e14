// Kills 500 writing processes at random moments and looks for every acknowledged save; too long for `npm test`.
//   npm run bench:kills [-- <number of kills>]
import { killWriters, type ProcessKillResults } from '../test/fixtures/storage/killWriters.ts';

/** Each lane has files of its own. */
const LANES = 2;

/** After so many kills a lane begins with new files: what was saved stays, and each opening takes longer. */
const KILLS_OF_FILES = 25;

const kills = Number(process.argv[3] ?? 500);
const start = performance.now();
const results: ProcessKillResults[] = [];
const lanes = Array.from({ length: LANES }, async (_, lane) => {
  for (let left = Math.ceil((kills - lane) / LANES); left > 0; left -= KILLS_OF_FILES) {
    results.push(await killWriters(Math.min(left, KILLS_OF_FILES)));
  }
});
await Promise.all(lanes);
const sum = (of: keyof (typeof results)[number]): number =>
  results.reduce((total, each) => total + each[of], 0);
console.log(
  `ok: ${sum('kills')} kills, ${sum('duringSnapshot')} of them while a snapshot was made, ${sum('duringClose')} while closing; ` +
    `${sum('saves')} acknowledged saves, ${sum('guestSaves')} of them asked for by another process, none missing or half there; ${sum('snapshots')} times a new snapshot was found, ${sum('journals')} journals; ` +
    `${((performance.now() - start) / 1_000).toFixed(0)} s`,
);
