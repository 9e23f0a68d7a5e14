import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits for a condition and gives what it found. What the condition throws counts as "not yet", and is told
 * when the time is up.
 * @param what completes the sentence "Waited in vain for …"
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string,
  limitMs = 10_000,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    let problem: unknown;
    try {
      const found = await condition();
      if (isFound(found)) return found;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`, { cause: problem });
    await delay(25);
  }
}

function isFound<T>(value: T): value is Exclude<T, undefined | null | false> {
  return value !== undefined && value !== null && value !== false;
}
