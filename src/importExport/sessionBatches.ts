import { claudeCodeChat, joinedSessions, readClaudeRecords } from './claudeCode.ts';
import { clineChat, clineFolder, type ClineTask } from './clineTask.ts';
import { codexChat, codexMeta } from './codexSession.ts';
import {
  oneChat,
  startOf,
  textOf,
  type BatchList,
  type ImportBatch,
  type SourceFile,
} from './importBatch.ts';
import { ImportReport } from './importReport.ts';
import type { ForeignChat, Program } from './importSource.ts';
import { keepPictures } from './keptPictures.ts';
import { piChat } from './piSession.ts';
import { parsedRecord } from './recordLines.ts';
import { isMutationLog, sessionOfLog, vsCodeChat } from './vscodeChat.ts';
import type { PortableChat } from '../engine/portableChat.ts';

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

function sessionId({ name }: SourceFile): string {
  return name.replace(/\.jsonl$/u, '');
}

/**
 * Rollouts of Codex; those forked from each other become one chat.
 * @param isWanted whether to include a session from a folder
 */
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

/** The files of one task of Cline or Roo Code. */
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

/** Files with one session each. */
export async function addSessions(
  list: BatchList,
  program: 'vscode' | 'pi',
  files: readonly SourceFile[],
  now: number,
): Promise<void> {
  for (const file of byTime(files)) {
    await list.add(file.name, () => sessionBatch(program, file, now));
  }
}

/** One session of VS Code or pi. @throws ImportError */
export function sessionBatch(
  program: 'vscode' | 'pi',
  file: SourceFile,
  now: number,
): Promise<ImportBatch | undefined> {
  return oneChat(async () => {
    const text = await textOf(file);
    const report = new ImportReport();
    const { chat, id } = await (program === 'pi' ? piChat(text, now, report) : vsCodeOf(text, now, report));
    return ofSession(program, id ?? file.name, chat, report);
  });
}

async function vsCodeOf(
  text: string,
  now: number,
  report: ImportReport,
): Promise<{ readonly chat: PortableChat; readonly id: string | undefined }> {
  const [line = ''] = text.split('\n', 1);
  const value = isMutationLog(parsedRecord(line)) ? sessionOfLog(text, report) : parsedRecord(text);
  return vsCodeChat(value, now, report);
}

async function ofSession(
  program: Program,
  id: string,
  read: PortableChat,
  report: ImportReport,
): Promise<ForeignChat> {
  const blobs = new Map<string, Uint8Array>();
  const chat = await keepPictures(read, blobs, report);
  return { source: { program, ids: [id] }, chat, blobs, report };
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
