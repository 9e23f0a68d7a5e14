/** A cache of the most recently used items, up to a total weight. */
export class RecentlyUsed<T> {
  private readonly items = new Map<string, { readonly value: T; readonly weight: number }>();
  private weight = 0;

  constructor(private readonly maximum: number) {}

  get(key: string): T | undefined {
    const item = this.items.get(key);
    if (!item) return undefined;
    // A map keeps insertion order: a used item is moved to its end.
    this.items.delete(key);
    this.items.set(key, item);
    return item.value;
  }

  set(key: string, value: T, weight: number): void {
    this.remove(key);
    if (weight > this.maximum) return;
    this.items.set(key, { value, weight });
    this.weight += weight;
    for (const oldest of this.items.keys()) {
      if (this.weight <= this.maximum) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.weight -= this.items.get(key)?.weight ?? 0;
    this.items.delete(key);
  }
}
