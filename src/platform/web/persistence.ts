/**
 * Whether the browser keeps what this site has stored for as long as its user wants: `evictable` data it may remove when
 * the disk is full, or, as Safari does, after some days without a visit.
 */
export type Persistence = 'persistent' | 'evictable' | 'unknown';

/** Asks the browser to keep it. Only a window can ask; a worker can see what was answered. */
export async function askForPersistence(): Promise<Persistence> {
  const storage: unknown = 'storage' in navigator ? navigator.storage : undefined;
  try {
    for (const question of ['persisted', 'persist'] as const) {
      if ((await ask(storage, question)) === true) return 'persistent';
    }
    return (await ask(storage, 'persisted')) === false ? 'evictable' : 'unknown';
  } catch {
    // Some say so where a frame of another site asks.
    return 'unknown';
  }
}

function ask(storage: unknown, question: 'persist' | 'persisted'): unknown {
  if (typeof storage !== 'object' || storage === null) return undefined;
  const method: unknown = Reflect.get(storage, question);
  return typeof method === 'function' ? Reflect.apply(method, storage, []) : undefined;
}
