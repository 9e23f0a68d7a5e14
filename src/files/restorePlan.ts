import type { FileChange, FileVersion } from '../engine/effects.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import type { FileHistory, FileStand } from './fileHistory.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';

export interface PlannedFile {
  readonly location: FileLocation;
  readonly stand: FileStand;
  /** Its content at the point of the plan; null: no file. */
  readonly target: FileVersion | null;
  /** Parent folders that a tool created, outermost first; empty ones are removed with it. */
  readonly madeFolders: readonly string[];
  /** It was changed by others between two tool changes of the plan: that change would be overwritten. */
  readonly isMixed: boolean;
}

export interface RestorePlan {
  /** Null: before the first message. */
  readonly messageId: string | null;
  /** The files whose content differs there. */
  readonly files: readonly PlannedFile[];
}

/** The ids of the messages from the root to a message. */
export type PathTo = (messageId: string | null) => Promise<readonly string[]>;

/** Undoes the changes since the common ancestor of each file's own position, then reapplies those up to the point. */
export async function planRestore(
  history: FileHistory,
  messageId: string | null,
  pathTo: PathTo,
): Promise<RestorePlan> {
  // Most conversations change no files: skip reading a path that may be long.
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

/** The changes of each file on the path from one point to another, both in original order. */
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
