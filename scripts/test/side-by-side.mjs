/**
 * Does something with each item, in their order, so many at a time.
 * @template T
 * @param {readonly T[]} items
 * @param {number} lanes
 * @param {(item: T) => Promise<void>} run
 */
export async function sideBySide(items, lanes, run) {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
