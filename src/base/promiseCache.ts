/** A cache of asynchronous reads by key: each is read only once until it is forgotten. Failed reads are repeated. */
export class PromiseCache<T> {
  private readonly readings = new Map<string, Promise<T>>();

  /** @param most the maximum number of entries; the oldest are removed first */
  constructor(private readonly most = Infinity) {}

  /** The entry of a key, complete or in progress. */
  peek(key: string): Promise<T> | undefined {
    return this.readings.get(key);
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.readings.get(key);
    if (known) return known;
    const reading = read();
    this.readings.set(key, reading);
    reading.catch(() => {
      // It may have been forgotten and read again by now.
      if (this.readings.get(key) === reading) this.readings.delete(key);
    });
    const [oldest] = this.readings.keys();
    if (this.readings.size > this.most && oldest !== undefined) this.readings.delete(oldest);
    return reading;
  }

  forget(key: string): void {
    this.readings.delete(key);
  }

  clear(): void {
    this.readings.clear();
  }
}
