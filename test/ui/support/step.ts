/** One step of a scenario: what fails in it tells which it was. */
export async function step<T>(title: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${title}: ${problem}`, { cause });
  }
}
