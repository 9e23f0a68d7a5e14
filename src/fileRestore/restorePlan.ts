import type { FileChange, FileVersion } from '../engine/effects.ts';
import type { FileLocation } from '../platform/workspaceFiles.ts';
import type { FileHistory, FileStand } from './fileHistory.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';

/** What becomes of one file when the files are brought to another point of the conversation. */
export interface PlannedFile {
  readonly location: FileLocation;
  /** Where it stands now. */
  readonly stand: FileStand;
  /** What it holds there. */
  readonly target: FileVersion | null;
  /** Folders a tool made on the way to it, outermost first; those that are empty go with it. */
  readonly madeFolders: readonly string[];
  /** Somebody else changed it between two changes of tools that are gone over: that would be gone over as well. */
  readonly isMixed: boolean;
}

export interface RestorePlan {
  /** The point the files are brought to; null: before the first message. */
  readonly messageId: string | null;
  /** The files that hold something else there. */
  readonly files: readonly PlannedFile[];
}

/** The ids of the messages from the root to one. */
export type PathTo = (messageId: string | null) => Promise<readonly string[]>;

/**
 * How the files get to another point of the conversation: the changes since the common ancestor are taken back, those
 * that lead to the point are made again. Each file starts from where it stands, which need not be the same for all.
 */
export async function planRestore(
  history: FileHistory,
  messageId: string | null,
  pathTo: PathTo,
): Promise<RestorePlan> {
  // Most conversations change no files: then there is no need to read a way that may be long.
  if (history.stands.length === 0) return { messageId, files: [] };
  const to = await pathTo(messageId);
  const ways = new Map<string | null, Way>();
  for (const from of new Set(history.stands.map((stand) => stand.messageId))) {
    ways.set(from, wayBetween(await pathTo(from), to, history));
  }
  const files = history.stands.flatMap((stand) => {
    const way = ways.get(stand.messageId);
    const planned = way && planFile(stand, way, history);
    return planned && !isSameVersion(planned.target, stand.version) ? [planned] : [];
  });
  return { messageId, files };
}

/** The changes of each file on the way from one point to another, both in the order they were made. */
interface Way {
  readonly undone: ReadonlyMap<string, readonly FileChange[]>;
  readonly redone: ReadonlyMap<string, readonly FileChange[]>;
}

function wayBetween(from: readonly string[], to: readonly string[], history: FileHistory): Way {
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  return {
    undone: byFile(from.slice(common), history),
    redone: byFile(to.slice(common), history),
  };
}

function byFile(messageIds: readonly string[], history: FileHistory): Map<string, FileChange[]> {
  const changes = new Map<string, FileChange[]>();
  for (const change of messageIds.flatMap((id) => history.changesOf(id))) {
    const key = keyOf(change);
    const known = changes.get(key);
    if (known) known.push(change);
    else changes.set(key, [change]);
  }
  return changes;
}

function planFile(stand: FileStand, { undone, redone }: Way, history: FileHistory): PlannedFile {
  const { location } = stand;
  const back = undone.get(keyOf(location)) ?? [];
  const last = redone.get(keyOf(location))?.at(-1);
  const [first] = back;
  const between = first ? first.before : stand.version;
  return {
    location,
    stand,
    target: last ? last.after : between,
    madeFolders: history.madeFoldersOf(location),
    isMixed: back.some((change) => change !== first && !history.wasLeft(location, change.before)),
  };
}
