/** How often a fuzz test runs: a bounded number in `npm test`, times `OFFSHOOT_FUZZ` in `npm run fuzz`. */
export function fuzzRuns(bounded: number): number {
  return bounded * Number(process.env['OFFSHOOT_FUZZ'] ?? 1);
}
