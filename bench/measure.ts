/** Milliseconds of one run: the median of several. */
export async function median(runs: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return middle(times);
}

/** How much longer `work` takes than `baseline`, one after the other: the median of several such pairs. */
export async function ratio(runs: number, baseline: () => unknown, work: () => unknown): Promise<number> {
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const least = await median(1, baseline);
    ratios.push((await median(1, work)) / least);
  }
  return middle(ratios);
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Prints a figure beside the most it may be, and what else is worth knowing of it. A figure that is missed fails the run. */
export function report(
  what: string,
  measured: number,
  limit: number,
  unit: 'ms' | '×' | 'KB',
  beside = '',
): void {
  const verdict = measured <= limit ? 'ok' : 'MISSED';
  // A figure that is no number is missed as well.
  if (verdict === 'MISSED') process.exitCode = 1;
  console.log(
    `${verdict.padEnd(7)} ${what}: ${measured.toFixed(2)} ${unit} (at most ${limit} ${unit})${beside && `; ${beside}`}`,
  );
}

/** Prints a figure that nobody has set a limit for. */
export function tell(what: string, measured: number, unit: 'ms' | '×' | 'KB', beside = ''): void {
  console.log(`        ${what}: ${measured.toFixed(2)} ${unit}${beside && `; ${beside}`}`);
}
