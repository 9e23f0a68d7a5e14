import { defineMessage } from '../../../engine/messageDescriptor.ts';
import { chainKey, ChatBuilder } from '../../chatBuilder.ts';
import { BEGINNING, readCourse, type Course, type Standing } from './codexReader.ts';
import { readRollout, spawnOf, type Rollout, type RolloutText } from './codexRollout.ts';
import { ImportReport } from '../../importReport.ts';
import type { ForeignChat } from '../../importSource.ts';
import { keepPictures } from '../../keptPictures.ts';

/** What the user called sessions, by their ids. */
export type SessionNames = ReadonlyMap<string, string>;

/** Rollouts that were forked from each other, with those of their agents, become one chat. */
export async function codexChat(
  texts: readonly RolloutText[],
  names: SessionNames,
  now: number,
): Promise<ForeignChat | undefined> {
  const rollouts = texts.flatMap((text) => readRollout(text) ?? []);
  if (rollouts.length === 0) return undefined;
  const report = new ImportReport();
  const family = new Family(rollouts, names, report, now);
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(await family.chat(), blobs, report);
  return { source: { program: 'codex', ids: family.ids }, chat, blobs, report };
}

class Family {
  private readonly builder: ChatBuilder;
  private readonly courses = new Map<Rollout, Course>();
  /** Those whose beginnings are looked for: a damaged one may name itself by way of others. */
  private readonly begun = new Set<Rollout>();
  /** Those that the user spoke in, if there are any; those that ended later count as newer. */
  private readonly own: readonly Rollout[];

  constructor(
    private readonly rollouts: readonly Rollout[],
    private readonly names: SessionNames,
    private readonly report: ImportReport,
    private readonly now: number,
  ) {
    this.builder = new ChatBuilder(now);
    const byEnd = rollouts.toSorted((one, other) => one.endedAt - other.endedAt);
    const own = byEnd.filter(({ meta }) => spawnOf(meta) === undefined);
    this.own = own.length > 0 ? own : byEnd;
  }

  /** Agents come and go: a chat is identified by the others. */
  get ids(): string[] {
    return [...new Set(this.own.map(({ meta }) => meta.id))];
  }

  async chat(): Promise<ForeignChat['chat']> {
    const courses: Course[] = [];
    for (const rollout of this.own) courses.push(await this.course(rollout));
    const title = this.own.map(({ meta }) => this.names.get(meta.id)).findLast((name) => name !== undefined);
    for (const rollout of this.rollouts) {
      this.report.addAll((await this.course(rollout)).report);
      await this.nameBranch(rollout, title);
    }
    return this.builder.build(
      title ??
        courses.findLast(({ name }) => name !== undefined)?.name ??
        courses.find(({ firstQuestion }) => firstQuestion !== undefined)?.firstQuestion,
      courses.at(-1)?.standings.at(-1)?.standing.messageId ?? null,
      this.now,
    );
  }

  private async nameBranch(rollout: Rollout, title: string | undefined): Promise<void> {
    const end = (await this.course(rollout)).standings.at(-1)?.standing.messageId;
    const { meta } = rollout;
    const agent = spawnOf(meta);
    const name = this.names.get(meta.id) ?? agent?.agent_nickname ?? (agent ? 'sidechain' : undefined);
    if (end && name !== undefined && name !== title) this.builder.nameBranch(end, name);
  }

  /** Read once, after what it continues. */
  private async course(rollout: Rollout): Promise<Course> {
    const known = this.courses.get(rollout);
    if (known) return known;
    this.begun.add(rollout);
    const course = await readCourse(rollout, await this.start(rollout), this.builder, this.now);
    this.courses.set(rollout, course);
    return course;
  }

  private async start({ meta }: Rollout): Promise<Standing> {
    const { history_base: base } = meta;
    if (base) {
      const { thread_id: sourceId, end_ordinal_exclusive: end } = base;
      const [source] = await this.read((each) => each.id === sourceId);
      const above = source?.standings.findLast(({ ordinal }) => ordinal < end)?.standing;
      return this.continued(above, `${sourceId} ${end}`);
    }
    const agent = spawnOf(meta);
    if (!agent) return BEGINNING;
    const parents = await this.read((each) => each.meta.id === agent.parent_thread_id);
    const startedAt = Date.parse(meta.timestamp ?? '');
    const named = [meta.id, agent.agent_path ?? meta.id];
    const call = parents.flatMap(({ spawns }) => named.flatMap((name) => spawns.get(name) ?? []))[0];
    // The call may have been cut off.
    const before = parents.map(({ standings }) =>
      standings.findLast(({ standing }) => standing.at <= startedAt),
    )[0];
    return this.continued(call ?? before?.standing, meta.id);
  }

  /** Reads these, but for those that wait for what is to continue them. */
  private async read(isWanted: (rollout: Rollout) => boolean): Promise<Course[]> {
    const found: Course[] = [];
    for (const rollout of this.rollouts.filter(isWanted)) {
      if (this.courses.has(rollout) || !this.begun.has(rollout)) found.push(await this.course(rollout));
    }
    return found;
  }

  /** @param key the same whether its beginning was found or not, so that it is known when it is imported again */
  private async continued(above: Standing | undefined, key: string): Promise<Standing> {
    if (!above)
      this.report.add(defineMessage('Beginnings of sessions, which are in files that were not read'));
    return { ...(above ?? BEGINNING), key: await chainKey('', key) };
  }
}
