import { codexMeta, rolloutLine, type SessionMeta } from './codexItems.ts';
import type { ImportReport } from '../../importReport.ts';
import { recordLines } from '../../recordLines.ts';

/** What Codex writes of a session, or of what follows where one was forked or reverted. */
export interface Rollout {
  readonly meta: SessionMeta;
  /** Its own id: a session that is reverted goes on in another rollout. */
  readonly id: string;
  readonly records: readonly unknown[];
  /** The time of its last record, in milliseconds since 1970. */
  readonly endedAt: number;
}

export interface RolloutText {
  /** Of the file, without folders. */
  readonly name: string;
  readonly text: string;
}

/** Undefined when it has no header. */
export function readRollout({ name, text }: RolloutText, report: ImportReport): Rollout | undefined {
  const all: unknown[] = recordLines(text, report);
  let meta: SessionMeta | undefined;
  const records = all.filter((value) => {
    const header = codexMeta(value);
    // The copy of another session begins with that one's header.
    meta ??= header;
    return header === undefined;
  });
  if (!meta) return undefined;
  const times = records.map((record) => Date.parse(rolloutLine.safeParse(record).data?.timestamp ?? ''));
  return {
    meta,
    id: rolloutId(name) ?? meta.id,
    records,
    endedAt: times.findLast(Number.isFinite) ?? 0,
  };
}

/** By what the rollouts of one chat know each other. */
export function rolloutNames(name: string, meta: SessionMeta): string[] {
  const { id, forked_from_id: source, history_base: base } = meta;
  return [id, rolloutId(name), source, base?.thread_id, spawnOf(meta)?.parent_thread_id].flatMap(
    (each) => each ?? [],
  );
}

/** Of a session that an agent's call started. */
export function spawnOf({ source }: SessionMeta): Spawn | undefined {
  return source?.subagent.thread_spawn;
}

type Spawn = NonNullable<SessionMeta['source']>['subagent']['thread_spawn'];

/** The last id in the name of its file: that of the session stands before it where there are two. */
function rolloutId(name: string): string | undefined {
  return /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?=\.jsonl$)/u.exec(name)?.[0];
}
