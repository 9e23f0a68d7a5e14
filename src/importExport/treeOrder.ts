/** A record of a tree in its place. */
export interface Placed<T> {
  readonly id: string;
  readonly parentId: string | null;
  readonly record: T;
}

export interface TreeOrder<T> {
  /** Each after its parent, and otherwise in the order they were given. */
  readonly placed: readonly Placed<T>[];
  /** How many name a parent that is not there, or follow themselves: they begin anew. */
  readonly orphans: number;
}

/**
 * Puts records in an order in which each comes after its parent, whatever a file says: a parent that is missing, or a way
 * that leads back to where it began, is no parent.
 */
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
    // Where the way ended at something that is placed, the last of it follows that.
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
