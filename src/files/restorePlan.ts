import type { FileVersion } from '../engine/effects.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import {
  baselineAfter,
  type FileEvent,
  type FileHistory,
  type FilePoint,
  type FileStand,
  type PathMessage,
  type PointTime,
} from './fileHistory.ts';
import { isSameVersion, keyOf } from './contentVersion.ts';

export interface PlannedFile {
  readonly location: FileLocation;
  readonly stand: FileStand;
  /** Its content at the point of the plan; null: no file. */
  readonly target: FileVersion | null;
  /** What counts as its content there, if others had changed it. */
  readonly left?: FileVersion | null;
  /** A text to put into its editor, unsaved. */
  readonly unsaved?: string | undefined;
  /** What its edits are compared with there. */
  readonly baseline: FileVersion | null;
  /** The point of the plan. */
  readonly point: FilePoint & {
    /** For a new decision: the one it follows. */ readonly after?: string | null;
  };
  /** Parent folders that a tool created, outermost first; empty ones are removed with it. */
  readonly madeFolders: readonly string[];
  /** It was changed by others between two tool changes of the plan: that change would be overwritten. */
  readonly isMixed: boolean;
}

export interface RestorePlan {
  /** The branch it leads to, or, for a new branch, the one that is left. */
  readonly branch: string | undefined;
  /** The files that differ there, in content or in what is to be reviewed. */
  readonly files: readonly PlannedFile[];
}

/** The messages from the root to a message. */
export type PathTo = (messageId: string | null) => Promise<readonly PathMessage[]>;

/**
 * Undoes what happened since the common ancestor of each file's own position, then repeats what happened up to the
 * point: changes of tools, and the user's decisions about them.
 */
export async function planRestore(
  history: FileHistory,
  messageId: string | null,
  pathTo: PathTo,
  when: PointTime = { before: Number.POSITIVE_INFINITY },
): Promise<readonly PlannedFile[]> {
  // Most conversations change no files: skip reading a path that may be long.
  if (history.stands.length === 0) return [];
  const to = new Way(await pathTo(messageId), history);
  const ways = new Map<string | null, Way>();
  for (const from of new Set(history.stands.map((stand) => stand.messageId))) {
    ways.set(from, new Way(await pathTo(from), history));
  }
  return history.stands.flatMap((stand) => {
    const from = ways.get(stand.messageId);
    const decision = history.decisionAt(stand.location, messageId, when);
    const planned = from && planFile(stand, from, to, { messageId, decision }, history);
    return planned && isOther(planned, history) ? [planned] : [];
  });
}

/** What happened to each file on a path, with all decisions at its end. */
export function eventsOnPath(
  history: FileHistory,
  path: readonly PathMessage[],
): { readonly location: FileLocation; readonly events: readonly FileEvent[] }[] {
  const way = new Way(path, history);
  const end = path.at(-1)?.id ?? null;
  return history.stands.map(({ location }) => {
    const decision = history.decisionAt(location, end, { before: Number.POSITIVE_INFINITY });
    return { location, events: way.eventsOf(location, decision) };
  });
}

/** Where there are decisions at a point, it matters later that a file was left there without them. */
function isOther({ location, stand, target, baseline, point }: PlannedFile, history: FileHistory): boolean {
  if (!isSameVersion(target, stand.version) || !isSameVersion(baseline, stand.baseline)) return true;
  const isThere = stand.messageId === point.messageId && stand.decision === point.decision;
  return !isThere && history.wasDecidedAt(location, point.messageId);
}

/** What happened to each file on a path. */
class Way {
  private readonly changes = new Map<string, { readonly place: number; readonly event: FileEvent }[]>();
  private places: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly path: readonly PathMessage[],
    private readonly history: FileHistory,
  ) {
    for (const [place, { id }] of path.entries()) {
      for (const event of history.changesOf(id)) {
        const known = this.changes.get(keyOf(event));
        if (known) known.push({ place, event });
        else this.changes.set(keyOf(event), [{ place, event }]);
      }
    }
  }

  /** @param decision the last one at the end of the path */
  eventsOf(location: FileLocation, decision: string | undefined): readonly FileEvent[] {
    const changes = this.changes.get(keyOf(location)) ?? [];
    const decided = [...this.history.decidedAt(location)].flatMap((messageId) => {
      const place = messageId === null ? -1 : this.placeOf(messageId);
      if (place === undefined) return [];
      const next = this.path[place + 1];
      const id = next ? this.history.decisionAt(location, messageId, { before: next.createdAt }) : decision;
      return this.history.decisionsUpTo(location, id).map((event) => ({ place, event }));
    });
    if (decided.length === 0) return changes.map(({ event }) => event);
    // A step of an answer is saved after its tools have run: what was decided in between is later than they are.
    return [...changes, ...decided].toSorted((a, b) => a.event.at - b.event.at).map(({ event }) => event);
  }

  private placeOf(messageId: string): number | undefined {
    this.places ??= new Map(this.path.map(({ id }, place) => [id, place]));
    return this.places.get(messageId);
  }
}

function planFile(stand: FileStand, from: Way, to: Way, point: FilePoint, history: FileHistory): PlannedFile {
  const { location } = stand;
  const behind = from.eventsOf(location, stand.decision);
  const ahead = to.eventsOf(location, point.decision);
  let common = 0;
  while (common < behind.length && behind[common] === ahead[common]) common += 1;
  const undone = behind.slice(common);
  const [first] = undone;
  const last = ahead.slice(common).at(-1);
  const target = last ? last.after : first ? first.before : stand.version;
  return {
    location,
    stand,
    target,
    baseline: baselineAt(ahead, target),
    point,
    madeFolders: history.madeFoldersOf(location),
    isMixed: undone.some((event) => event !== first && !history.wasLeft(location, event.before)),
  };
}

function baselineAt(events: readonly FileEvent[], target: FileVersion | null): FileVersion | null {
  let known: { version: FileVersion | null; baseline: FileVersion | null } | undefined;
  for (const event of events) known = { version: event.after, baseline: baselineAfter(known, event) };
  // What others changed since is not to be reviewed.
  return known && !isSameVersion(known.baseline, known.version) ? known.baseline : target;
}
