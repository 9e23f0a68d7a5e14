import type { OpenDatabase } from '../base/foreignDatabase.ts';
import { ImportError } from '../engine/errors.ts';
import { defineMessage } from '../engine/messageDescriptor.ts';
import type { ForeignFiles } from '../host/foreignFiles.ts';
import { batchOf, readTogether, type BatchList, type ReadFile, type SourceFile } from './importBatch.ts';
import { programs, type Program } from './importPrograms.ts';

/** The places of this machine in which programs keep their sessions; read as data only. */
export interface SessionPlaces {
  /** The folders of the workspace: their real paths, and the paths they were opened by. */
  readonly folders: readonly string[];
  readonly vsCode: {
    /** The folder of the chat sessions of this workspace, or of windows without a folder. */
    readonly sessions: string;
    /** @param extension its id, in lower case */
    storageOf(extension: string): string;
  };
  readonly userFolder: ForeignFiles['userFolder'];
  readonly list: ForeignFiles['list'];
}

/** What a search has so far. */
export interface SessionSearch {
  readonly places: SessionPlaces;
  readonly list: BatchList;
  readonly now: number;
  /** Left out where there is no SQLite. */
  readonly openDatabase?: OpenDatabase;
}

/** The newest ones of one program. */
export const MAX_SESSIONS = 500;

/** The newest ones first; says in the list that there are more. */
export function newestSessions<T extends { readonly changedAt: number }>(
  program: Program,
  found: readonly T[],
  list: BatchList,
): T[] {
  const kept = found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, MAX_SESSIONS);
  if (kept.length < found.length) {
    const error = new ImportError(defineMessage('only the newest {0} sessions are looked at', MAX_SESSIONS));
    list.unread.push({ name: programs[program].name, error });
  }
  return kept;
}

export function oldestFirst(files: readonly SourceFile[]): SourceFile[] {
  return files.toSorted((one, other) => one.changedAt - other.changedAt);
}

/** Adds sessions of which each is a chat. */
export async function addSessions(
  list: BatchList,
  read: ReadFile,
  files: readonly SourceFile[],
  now: number,
): Promise<void> {
  for (const file of oldestFirst(files))
    await list.add(file.name, () => batchOf(readTogether(() => read(file, now))));
}

export function jsonLines(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ name }) => name.endsWith('.jsonl'));
}

/** Whether a session of a folder belongs to the workspace. */
export function isOfWorkspace(
  { folders }: Pick<SessionPlaces, 'folders'>,
  folder: string | undefined,
): boolean {
  return folder !== undefined && folders.some((each) => isWithin(folder, each));
}

function isWithin(folder: string, other: string): boolean {
  const plain = (name: string): string => name.replaceAll('\\', '/').replace(/\/+$/u, '');
  return `${plain(folder)}/`.startsWith(`${plain(other)}/`);
}
