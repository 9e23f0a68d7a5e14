// Kills 200 programs between the calls by which they make, change, keep and discard the files of a branch; too long for
// `npm test`.
//   npm run bench:branches, or: node scripts/bench.mjs branchKills [number of kills]
import { killPrograms } from '../test/fixtures/branchFiles/killPrograms.ts';

const kills = Number(process.argv[3] ?? 200);
const start = performance.now();
const { calls, done, undone } = await killPrograms(kills);
const counts = Object.entries(calls).map(([step, count]) => `${step} ${count}`);
console.log(
  `ok: ${kills} kills, ${done} after which a step was done, ${undone} after which it was not, and nothing was left over; ` +
    `calls of files and git: ${counts.join(', ')}; ${((performance.now() - start) / 1_000).toFixed(0)} s`,
);
