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

/** Milliseconds of the quickest of several runs. */
export async function least(runs: number, work: () => unknown): Promise<number> {
  let quickest = Infinity;
  for (let run = 0; run < runs; run++) quickest = Math.min(quickest, await median(1, work));
  return quickest;
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

/** Prints a figure, its limit and further details. A figure above its limit fails the run. */
export function report(
  what: string,
  measured: number,
  limit: number,
  unit: 'ms' | '×' | 'KB',
  details = '',
): void {
  const verdict = measured <= limit ? 'ok' : 'MISSED';
  // NaN counts as missed, too.
  if (verdict === 'MISSED') process.exitCode = 1;
  console.log(
    `${verdict.padEnd(7)} ${what}: ${measured.toFixed(2)} ${unit} (at most ${limit} ${unit})${details && `; ${details}`}`,
  );
}

/** Prints a share in percent, and its goal. A share below its goal fails the run. */
export function reportShare(what: string, measured: number, goal: number): void {
  const verdict = measured >= goal ? 'ok' : 'MISSED';
  if (verdict === 'MISSED') process.exitCode = 1;
  console.log(`${verdict.padEnd(7)} ${what}: ${measured.toFixed(1)} % (at least ${goal} %)`);
}

/** Prints a figure without a limit. */
export function tell(what: string, measured: number, unit: 'ms' | '×' | 'KB', details = ''): void {
  console.log(`        ${what}: ${measured.toFixed(2)} ${unit}${details && `; ${details}`}`);
}
