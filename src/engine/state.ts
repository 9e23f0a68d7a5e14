import type { MessageEffects } from './effects.ts';
import type { JsonValue } from './json.ts';
import { checkedId, storable } from './storable.ts';
import type { StateChanges } from './store.ts';

/** What the state reads: the saved values at the head, and those of the user and of everybody. */
export interface SavedState {
  readonly path: () => Promise<ReadonlyMap<string, JsonValue>>;
  readonly user: () => Promise<ReadonlyMap<string, JsonValue>>;
  readonly app: () => Promise<ReadonlyMap<string, JsonValue>>;
}

type Scope = 'path' | 'user' | 'app' | 'temp';

/**
 * Values that go with the conversation. A plain key belongs to this path: rewinding and switching bring back what it
 * was there. `user:` keys are the user's in all chats, `app:` keys everybody's; neither is rewound. `temp:` keys last
 * until the next save and are never stored. Changes wait for `save()`, as messages do.
 */
export class EngineState {
  private changes = new Map<string, JsonValue | undefined>();

  constructor(private readonly saved: SavedState) {}

  /** The value as it would be saved now; undefined when there is none. */
  async get(key: string): Promise<JsonValue | undefined> {
    if (this.changes.has(key)) return this.changes.get(key);
    const scope = scopeOf(key);
    return scope === 'temp' ? undefined : (await this.saved[scope]()).get(key);
  }

  /** Sets a value; it is stored by the next save. @throws NotStorableError when JSON cannot hold the value */
  set(key: string, value: JsonValue): void {
    this.changes.set(checkedId(key, 'state key'), storable(value, key));
  }

  /** Removes a key; gone for good with the next save. */
  delete(key: string): void {
    this.changes.set(checkedId(key, 'state key'), undefined);
  }

  /** All keys and values of every scope, by key. */
  async entries(): Promise<[key: string, value: JsonValue][]> {
    const all = new Map([
      ...(await this.saved.path()),
      ...(await this.saved.user()),
      ...(await this.saved.app()),
    ]);
    for (const [key, value] of this.changes) {
      if (value === undefined) all.delete(key);
      else all.set(key, value);
    }
    return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The changes of one scope that wait for the next save. */
  pending(scope: 'user' | 'app'): StateChanges {
    return new Map([...this.changes].filter(([key]) => scopeOf(key) === scope));
  }

  /** What the next save stores on its message. */
  pendingEffects(): MessageEffects['state'] {
    const own = [...this.changes].filter(([key]) => scopeOf(key) === 'path');
    const set = own.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
    const deleted = own.flatMap(([key, value]) => (value === undefined ? [key] : []));
    if (own.length === 0) return undefined;
    return {
      ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
      ...(deleted.length > 0 ? { deleted } : {}),
    };
  }

  /** Forgets what waits, after it was saved or when the branch is left. */
  clear(): number {
    const count = [...this.changes.keys()].filter((key) => scopeOf(key) !== 'temp').length;
    this.changes = new Map();
    return count;
  }
}

function scopeOf(key: string): Scope {
  if (key.startsWith('user:')) return 'user';
  if (key.startsWith('app:')) return 'app';
  if (key.startsWith('temp:')) return 'temp';
  return 'path';
}
