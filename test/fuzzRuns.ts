/**
 * How often a fuzz test runs: a bounded number in `npm test`, times `OFFSHOOT_FUZZ` in `npm run fuzz`.
 * @param longer what is multiplied instead when it runs longer, for a test that is kept short in `npm test`
 */
export function fuzzRuns(bounded: number, longer = bounded): number {
  const times = Number(process.env['OFFSHOOT_FUZZ'] ?? 1);
  return times > 1 ? longer * times : bounded;
}
