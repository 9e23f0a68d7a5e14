import { copyJson } from './copyJson.ts';
import type { MessageEffects } from './effects.ts';
import type { JsonValue } from './json.ts';
import { Layers } from './layers.ts';
import { checkedId, storable } from './storable.ts';
import type { StateChanges } from './store.ts';

/** What the state reads: the saved values at the head, and those of the user and of everybody. */
export interface SavedState {
  readonly path: ReadonlyMap<string, JsonValue>;
  readonly user: ReadonlyMap<string, JsonValue>;
  readonly app: ReadonlyMap<string, JsonValue>;
}

/** Reads what is saved while no save is on its way, so that nothing is missed between the two. */
export type ReadState = <T>(use: (saved: SavedState) => T) => Promise<T>;

type Scope = 'path' | 'user' | 'app' | 'temp';
type Changes = Map<string, JsonValue | undefined>;

/**
 * Values that go with the conversation. A plain key belongs to this path: rewinding and switching bring back what it
 * was there. `user:` keys are the user's in all chats, `app:` keys everybody's; neither is rewound. `temp:` keys last
 * until the next save and are never stored. Changes wait for `save()`, as messages do.
 */
export class EngineState {
  private readonly changes = new Layers<Changes>(
    () => new Map(),
    (earlier, later) => new Map([...earlier, ...later]),
  );

  constructor(private readonly read: ReadState) {}

  /** The value as it would be saved now; undefined when there is none. It is a copy: changing it changes nothing. */
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

  /** Removes a key; gone for good with the next save. */
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

  /** True when a change of the user's or everybody's waits. */
  get hasSharedChanges(): boolean {
    return [...this.changes.all.keys()].map(scopeOf).some((scope) => scope === 'user' || scope === 'app');
  }

  /** What a message stores of the changes: of those that are being saved, or of all. */
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

  /** What waits is on its way now: saved, or left behind. */
  begin(): void {
    this.changes.begin();
  }

  /** Nothing came of it: it waits as before. */
  rollBack(): void {
    this.changes.rollBack();
  }

  /** Forgets what was on its way; returns how many changes there were. */
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
