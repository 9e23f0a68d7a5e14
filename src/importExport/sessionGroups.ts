/** Groups items that share a name, such as sessions with common records; within each group, in order of arrival. */
export class SessionGroups<T> {
  private readonly groupOf = new Map<string, { readonly items: T[] }>();
  private readonly groups = new Set<{ readonly items: T[] }>();
  private readonly order = new Map<T, number>();

  add(item: T, names: readonly string[]): void {
    this.order.set(item, this.order.size);
    const joined = { items: [item] };
    const met = new Set(names.flatMap((name) => this.groupOf.get(name) ?? []));
    for (const other of met) {
      joined.items.push(...other.items);
      this.groups.delete(other);
    }
    for (const [name, group] of met.size > 0 ? this.groupOf : []) {
      if (met.has(group)) this.groupOf.set(name, joined);
    }
    for (const name of names) this.groupOf.set(name, joined);
    this.groups.add(joined);
  }

  all(): T[][] {
    const at = (item: T): number => this.order.get(item) ?? 0;
    return [...this.groups].map(({ items }) => items.toSorted((one, other) => at(one) - at(other)));
  }
}
