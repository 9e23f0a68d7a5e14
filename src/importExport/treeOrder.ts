export interface Placed<T> {
  readonly id: string;
  readonly parentId: string | null;
  readonly record: T;
}

export interface TreeOrder<T> {
  /** Each after its parent, otherwise in the given order. */
  readonly placed: readonly Placed<T>[];
  /** How many name a missing parent, or are their own ancestor: they become roots. */
  readonly orphans: number;
}

/** Each record comes after its parent, for any input: a missing parent, or one that closes a cycle, is ignored. */
export function inTreeOrder<T>(
  records: ReadonlyMap<string, T>,
  parentOf: (record: T) => string | null,
): TreeOrder<T> {
  const placed: Placed<T>[] = [];
  const done = new Set<string>();
  let orphans = 0;
  for (const start of records.keys()) {
    const way: string[] = [];
    const onWay = new Set<string>();
    let at: string | null = start;
    while (at !== null && !done.has(at) && !onWay.has(at) && records.has(at)) {
      way.push(at);
      onWay.add(at);
      const record = records.get(at);
      at = record === undefined ? null : parentOf(record);
    }
    // If the path ended at a placed record, its last record follows that one.
    let parentId = at !== null && done.has(at) ? at : null;
    if (at !== null && parentId === null && way.length > 0) orphans += 1;
    for (const id of way.reverse()) {
      const record = records.get(id);
      if (record === undefined) continue;
      placed.push({ id, parentId, record });
      done.add(id);
      parentId = id;
    }
  }
  return { placed, orphans };
}
