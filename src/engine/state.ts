import { copyJson, type JsonValue } from './json.ts';
import type { MessageEffects } from './effects.ts';
import { Layers } from './layers.ts';
import { checkedId, storable } from './storable.ts';
import type { StateChanges } from './store.ts';

/** What the state reads: the saved values at the head, those of the user and those shared by everybody. */
export interface SavedState {
  readonly path: ReadonlyMap<string, JsonValue>;
  readonly user: ReadonlyMap<string, JsonValue>;
  readonly app: ReadonlyMap<string, JsonValue>;
}

/** Reads saved values while no save runs, so that no change is missed in between. */
export type ReadState = <T>(use: (saved: SavedState) => T) => Promise<T>;

type Scope = 'path' | 'user' | 'app' | 'temp';
type Changes = Map<string, JsonValue | undefined>;

/**
 * Values that go with the conversation. A plain key belongs to this path: rewinding and switching restore its value
 * there. `user:` keys belong to the user in all chats, `app:` keys to everybody; neither is rewound. `temp:` keys
 * last until the next save and are never stored. Changes are pending until `save()`, as messages are.
 */
export class EngineState {
  private readonly changes = new Layers<Changes>(
    () => new Map(),
    (earlier, later) => new Map([...earlier, ...later]),
  );

  constructor(private readonly read: ReadState) {}

  /** A copy of the value as it would be saved now; undefined when there is none. */
  async get(key: string): Promise<JsonValue | undefined> {
    checkedId(key, 'state key');
    const scope = scopeOf(key);
    return this.read((saved) => {
      const changes = this.changes.all;
      if (changes.has(key)) return copyJson(changes.get(key));
      return scope === 'temp' ? undefined : copyJson(saved[scope].get(key));
    });
  }

  /** Sets a value; it is stored by the next save. @throws NotStorableError when JSON cannot hold the value */
  set(key: string, value: JsonValue): void {
    this.changes.open.set(checkedId(key, 'state key'), storable(value, key));
  }

  /** Removes a key; permanent with the next save. */
  delete(key: string): void {
    this.changes.open.set(checkedId(key, 'state key'), undefined);
  }

  /** All keys and values of every scope, by key. */
  entries(): Promise<[key: string, value: JsonValue][]> {
    return this.read((saved) => {
      const all = new Map([...saved.path, ...saved.user, ...saved.app]);
      for (const [key, value] of this.changes.all) {
        if (value === undefined) all.delete(key);
        else all.set(key, value);
      }
      return copyJson([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
    });
  }

  /** The changes of one scope that are being saved. */
  leaving(scope: 'user' | 'app'): StateChanges {
    return new Map([...this.changes.onItsWay].filter(([key]) => scopeOf(key) === scope));
  }

  /** True when a `user:` or `app:` change is pending. */
  get hasSharedChanges(): boolean {
    return [...this.changes.all.keys()].map(scopeOf).some((scope) => scope === 'user' || scope === 'app');
  }

  /** The effects to store with a message: of the changes being saved, or of all. */
  effects(of: 'leaving' | 'all'): MessageEffects['state'] {
    const changes = of === 'all' ? this.changes.all : this.changes.onItsWay;
    const own = [...changes].filter(([key]) => scopeOf(key) === 'path');
    const set = own.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
    const deleted = own.flatMap(([key, value]) => (value === undefined ? [key] : []));
    if (own.length === 0) return undefined;
    return {
      ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
      ...(deleted.length > 0 ? { deleted } : {}),
    };
  }

  /** Pending changes are now being saved, or dropped with the branch. */
  begin(): void {
    this.changes.begin();
  }

  /** The save failed: the changes are pending again. */
  rollBack(): void {
    this.changes.rollBack();
  }

  /** Forgets the changes that were being saved; returns how many there were. */
  commit(): number {
    return [...this.changes.commit().keys()].filter((key) => scopeOf(key) !== 'temp').length;
  }
}

function scopeOf(key: string): Scope {
  if (key.startsWith('user:')) return 'user';
  if (key.startsWith('app:')) return 'app';
  if (key.startsWith('temp:')) return 'temp';
  return 'path';
}
