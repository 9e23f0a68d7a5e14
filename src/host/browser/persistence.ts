/** `evictable` data may be removed when the disk is full, or, in Safari, after some days without a visit. */
export type Persistence = 'persistent' | 'evictable' | 'unknown';

/** Asks the browser to keep it. Only a window can ask; a worker can read the answer. */
export async function askForPersistence(): Promise<Persistence> {
  const storage: unknown = 'storage' in navigator ? navigator.storage : undefined;
  try {
    for (const question of ['persisted', 'persist'] as const) {
      if ((await ask(storage, question)) === true) return 'persistent';
    }
    return (await ask(storage, 'persisted')) === false ? 'evictable' : 'unknown';
  } catch {
    // Some browsers throw if a frame of another site asks.
    return 'unknown';
  }
}

function ask(storage: unknown, question: 'persist' | 'persisted'): unknown {
  if (typeof storage !== 'object' || storage === null) return undefined;
  const method: unknown = Reflect.get(storage, question);
  return typeof method === 'function' ? Reflect.apply(method, storage, []) : undefined;
}
