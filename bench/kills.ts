// Kills 500 writing processes at random moments and looks for every acknowledged save; too long for `npm test`.
//   npm run bench:kills [-- <number of kills>]
import { killWriters } from '../test/fixtures/storage/killWriters.ts';

/** Each lane has files of its own. */
const LANES = 2;

const kills = Number(process.argv[3] ?? 500);
const start = performance.now();
const lanes = Array.from({ length: LANES }, (_, lane) => killWriters(Math.ceil((kills - lane) / LANES)));
const results = await Promise.all(lanes);
const sum = (of: keyof (typeof results)[number]): number =>
  results.reduce((total, each) => total + each[of], 0);
console.log(
  `ok: ${sum('kills')} kills, ${sum('duringSnapshot')} of them while a snapshot was made, ${sum('duringClose')} while closing; ` +
    `${sum('saves')} acknowledged saves, ${sum('guestSaves')} of them asked for by another process, none missing or half there; ${sum('snapshots')} times a new snapshot was found, ${sum('journals')} journals; ` +
    `${((performance.now() - start) / 1_000).toFixed(0)} s`,
);
