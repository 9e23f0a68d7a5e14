import type { FileVersion } from '../engine/effects.ts';
import type { MessageFiles } from '../engine/store.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { keyOf } from './contentVersion.ts';

interface KnownFile {
  readonly location: FileLocation;
  /** Before its first change. */
  readonly first: FileVersion | null;
  /** The places of the path at which it changed, in order, and what it was after. */
  readonly places: number[];
  readonly versions: (FileVersion | null)[];
}

/**
 * How the files that the tools of a path changed were at each of its messages. What the user did in between is not
 * recorded, and so is not shown.
 */
export class FileMoments {
  private readonly known = new Map<string, KnownFile>();

  /** @param path ids of messages, from the root */
  constructor(path: readonly string[], messages: readonly MessageFiles[]) {
    const placeOf = new Map(path.map((id, place) => [id, place]));
    const changes = messages.flatMap(({ messageId, files }) => {
      const place = placeOf.get(messageId);
      return place === undefined ? [] : files.map((change) => ({ place, change }));
    });
    const ordered = changes.toSorted(
      (one, other) => one.place - other.place || one.change.at - other.change.at,
    );
    for (const { place, change } of ordered) {
      const { folder, path: name, before, after } = change;
      const known = this.known.get(keyOf(change)) ?? {
        location: { folder, path: name },
        first: before,
        places: [],
        versions: [],
      };
      this.known.set(keyOf(change), known);
      // Of several changes at one message, the last one is what it left.
      if (known.places.at(-1) === place) known.versions.pop();
      else known.places.push(place);
      known.versions.push(after);
    }
  }

  get files(): readonly FileLocation[] {
    return [...this.known.values()].map(({ location }) => location);
  }

  /**
   * @param place of a message on the path; -1: before the first
   * @returns null where there was no file; undefined for a file that no tool changed on this path
   */
  versionAt(location: FileLocation, place: number): FileVersion | null | undefined {
    const known = this.known.get(keyOf(location));
    if (!known) return undefined;
    const index = lastUpTo(known.places, place);
    return index < 0 ? known.first : (known.versions[index] ?? null);
  }
}

/** The index of the last of these increasing numbers that is no greater; -1 if there is none. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
