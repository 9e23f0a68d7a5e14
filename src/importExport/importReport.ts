import type { MessageDescriptor } from '../engine/messageDescriptor.ts';

/** What was not imported from a file, or was changed. */
export interface LeftOut {
  readonly what: MessageDescriptor;
  readonly count: number;
}

/** Counts what is left out by kind, in the order of first occurrence. */
export class ImportReport {
  private readonly counts = new Map<string, { readonly what: MessageDescriptor; count: number }>();

  add(what: MessageDescriptor, count = 1): void {
    if (count === 0) return;
    const known = this.counts.get(what.template);
    if (known) known.count += count;
    else this.counts.set(what.template, { what, count });
  }

  addAll(other: ImportReport): void {
    for (const { what, count } of other.counts.values()) this.add(what, count);
  }

  all(): LeftOut[] {
    return [...this.counts.values()].map((each) => ({ ...each }));
  }
}
