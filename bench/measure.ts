/** Milliseconds of one run: the median of several. */
export async function median(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** Says what was measured, and whether it keeps to its limit. */
export function report(what: string, measured: number, limit: number, unit: 'ms' | '×'): void {
  const verdict = measured <= limit ? 'ok' : 'MISSED';
  console.log(`${verdict.padEnd(7)} ${what}: ${measured.toFixed(2)} ${unit} (at most ${limit} ${unit})`);
}
