import { claudeCodeChat, joinedSessions, readClaudeRecords, sessionId } from './claudeCode.ts';
import { clineChat, clineFolder, type ClineTask } from './clineTask.ts';
import { codexChat, codexMeta } from './codexSession.ts';
import {
  batchOf,
  oneChat,
  readTogether,
  startOf,
  textOf,
  type BatchList,
  type SourceFile,
} from './importBatch.ts';
import type { ForeignChat } from './importSource.ts';
import { pi } from './piSession.ts';
import { parsedRecord } from './recordLines.ts';
import { vscodeChat } from './vscodeChat.ts';

/** How much of a rollout is read to find its folder, in UTF-16 units; its header holds instructions. */
const HEADER_LENGTH = 262_144;

const byTime = (files: readonly SourceFile[]): SourceFile[] =>
  files.toSorted((one, other) => one.changedAt - other.changedAt);

/** Sessions of Claude Code; those that share records become one chat. */
export async function addClaudeCode(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
): Promise<void> {
  const groups = new Groups<SourceFile>();
  for (const file of byTime(files)) {
    await list.add(file.name, async () => {
      const id = sessionId(file);
      const { records } = readClaudeRecords({ id, text: await textOf(file) });
      const sessions = [...records.values()].flatMap(({ sessionId: of, isSidechain, agentId }) =>
        of !== undefined && isSidechain === true && agentId !== undefined ? [`session ${of}`] : [],
      );
      if (records.size > 0) groups.add(file, [`session ${id}`, ...records.keys(), ...new Set(sessions)]);
      return undefined;
    });
  }
  for (const group of groups.all())
    await list.add(group[0]?.name ?? '', () => oneChat(() => claudeChatOf(group, now)));
}

async function claudeChatOf(group: readonly SourceFile[], now: number): Promise<ForeignChat> {
  const sessions = [];
  for (const file of group)
    sessions.push(readClaudeRecords({ id: sessionId(file), text: await textOf(file) }));
  return claudeCodeChat(joinedSessions(sessions), now);
}

/** Rollouts forked from each other become one chat. */
export async function addCodex(
  list: BatchList,
  files: readonly SourceFile[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
): Promise<void> {
  const groups = new Groups<SourceFile>();
  for (const file of byTime(files)) {
    await list.add(file.name, async () => {
      const [line = ''] = (await startOf(file, HEADER_LENGTH)).split('\n', 1);
      const meta = codexMeta(parsedRecord(line));
      if (meta && isWanted(meta.cwd))
        groups.add(file, [meta.id, ...(meta.forked_from_id ? [meta.forked_from_id] : [])]);
      return undefined;
    });
  }
  for (const group of groups.all()) {
    await list.add(group[0]?.name ?? '', () =>
      oneChat(async () => {
        const texts: string[] = [];
        for (const file of group) texts.push(await textOf(file));
        return codexChat(texts, now);
      }),
    );
  }
}

export interface TaskFiles extends Pick<ClineTask, 'program' | 'id' | 'title'> {
  readonly history: SourceFile;
  readonly metadata?: SourceFile | undefined;
  /** The folder it worked in, if it is recorded there. */
  readonly folder?: string | undefined;
}

/** @param isWanted whether to include a task from a folder; undefined: the folder is unknown */
export async function addCline(
  list: BatchList,
  tasks: readonly TaskFiles[],
  now: number,
  isWanted: (folder: string | undefined) => boolean,
): Promise<void> {
  for (const { program, id, title, history, metadata, folder } of tasks) {
    await list.add(`${program} ${id}`, async () => {
      if (!isWanted(folder ?? clineFolder(await startOf(history, 200_000)))) return undefined;
      return oneChat(async () =>
        clineChat(
          {
            program,
            id,
            title,
            history: await textOf(history),
            metadata: metadata && (await textOf(metadata)),
          },
          now,
        ),
      );
    });
  }
}

export async function addSessions(
  list: BatchList,
  program: 'vscode' | 'pi',
  files: readonly SourceFile[],
  now: number,
): Promise<void> {
  const format = { vscode: vscodeChat, pi }[program];
  for (const file of byTime(files))
    await list.add(file.name, () => batchOf(readTogether(() => format.read(file, now))));
}

/** Groups items that share a name; within each group, in order of arrival. */
class Groups<T> {
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
