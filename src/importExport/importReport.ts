import { defineMessage, type MessageDescriptor } from '../engine/messageDescriptor.ts';

/** What was not imported from a file, or was changed. */
export interface LeftOut {
  readonly what: MessageDescriptor;
  readonly count: number;
  /** The first places of it that are known, each as `file:line`. */
  readonly places: readonly string[];
}

/** How many places of one kind are kept: enough to look at, and bounded for any file. */
const MAX_PLACES = 5;

/** The longest part of a file's name that is kept, in UTF-16 units. */
const MAX_FILE_NAME = 100;

interface Counted {
  readonly what: MessageDescriptor;
  readonly places: string[];
  count: number;
}

/** Counts what is left out by kind, in the order of first occurrence. */
export class ImportReport {
  private readonly counts = new Map<string, Counted>();
  private line: number | undefined;
  private kept = 0;

  /** @param file the name of the file it reports about, without folders */
  constructor(private readonly file = '') {}

  /** What is added from now on is in this line; undefined: in no line that is known. Lines are counted from 1. */
  at(line: number | undefined): void {
    this.line = line;
  }

  add(what: MessageDescriptor, count = 1): void {
    const place = this.line === undefined ? [] : [`${this.file.slice(0, MAX_FILE_NAME)}:${this.line}`];
    this.addCounted({ what, count, places: place });
  }

  /**
   * Records that are known to say nothing of the conversation: settings, states, snapshots. They are counted apart, so
   * that a record of an unknown kind, which may be a loss, is not one among many.
   */
  bookkeeping(count = 1): void {
    this.kept += count;
  }

  addAll(other: ImportReport): void {
    for (const each of other.counts.values()) this.addCounted(each);
    this.kept += other.kept;
  }

  /** What is missed or changed: without the bookkeeping. */
  all(): LeftOut[] {
    return [...this.counts.values()].map((each) => ({ ...each, places: [...each.places] }));
  }

  /** As {@link all}, and the bookkeeping at the end. */
  allWithBookkeeping(): LeftOut[] {
    if (this.kept === 0) return this.all();
    const what = defineMessage('Settings, states and other bookkeeping, which belong to the program');
    return [...this.all(), { what, count: this.kept, places: [] }];
  }

  private addCounted({ what, count, places }: LeftOut): void {
    if (count === 0) return;
    const known = this.counts.get(what.template);
    if (!known) {
      this.counts.set(what.template, { what, count, places: places.slice(0, MAX_PLACES) });
      return;
    }
    known.count += count;
    for (const place of places) {
      if (known.places.length < MAX_PLACES && !known.places.includes(place)) known.places.push(place);
    }
  }
}
