import {
  codexMeta,
  compacted,
  responseItem,
  rolloutLine,
  textOfParts,
  type SessionMeta,
} from './codexItems.ts';
import { ImportReport } from '../../importReport.ts';
import { recordLines } from '../../recordLines.ts';

/** What Codex writes of a session, or of what follows where one was forked or reverted. */
export interface Rollout extends RolloutText {
  readonly meta: SessionMeta;
  /** Its own id: a session that is reverted goes on in another rollout. */
  readonly id: string;
  /** The time of its last record, in milliseconds since 1970. */
  readonly endedAt: number;
  /** The answers, by their places, that a compaction asked for: its own record repeats each. */
  readonly repeated: ReadonlySet<number>;
}

export interface RolloutText {
  /** Of the file, without folders. */
  readonly name: string;
  readonly text: string;
}

/** What has to be known of it before it is read. Undefined when it has no header. */
export function readRollout(file: RolloutText): Rollout | undefined {
  let meta: SessionMeta | undefined;
  let endedAt = 0;
  const repeated = new Set<number>();
  let last: { readonly index: number; readonly text: string } | undefined;
  let index = -1;
  // It is reported when it is read.
  for (const value of recordLines(file.text, new ImportReport())) {
    index += 1;
    // The copy of another session begins with that one's header.
    meta ??= codexMeta(value);
    const line = rolloutLine.safeParse(value).data;
    const at = Date.parse(line?.timestamp ?? '');
    if (Number.isFinite(at)) endedAt = at;
    if (line?.type === 'compacted') {
      const summary = compacted.safeParse(line.payload).data?.message;
      if (last && last.text !== '' && summary?.endsWith(last.text) === true) repeated.add(last.index);
      last = undefined;
    } else if (line?.type === 'response_item') {
      const item = responseItem.safeParse(line.payload).data;
      if (item?.type !== 'message') continue;
      last = item.role === 'assistant' ? { index, text: textOfParts(item.content) } : undefined;
    }
  }
  return meta && { ...file, meta, id: rolloutId(file.name) ?? meta.id, endedAt, repeated };
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
