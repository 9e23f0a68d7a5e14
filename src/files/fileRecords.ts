import { z } from 'zod';
import { fileVersion } from '../engine/effects.ts';
import type { LogEvent } from '../engine/graph.ts';
import type { JsonObject } from '../engine/json.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';

/** Where a file is in the conversation, and what it holds there. */
const fileState = z.object({
  /** Null: before the first message. */
  messageId: z.string().nullable(),
  /** The last decision of the user there that counts; left out: it is as the message left it. */
  decision: z.string().optional(),
  version: fileVersion.nullable(),
  /** What its edits are compared with, equal to `version` if there are none to review; earlier logs leave it out. */
  baseline: fileVersion.nullable().optional(),
});
export type RecordedState = z.infer<typeof fileState>;

const recordedFile = fileState.extend({
  folder: z.string(),
  path: z.string(),
  /** For a new decision: the one it follows; null: it is the first there. */
  after: z.string().nullable().optional(),
  /** The state before. */
  from: fileState.optional(),
  /** Its earlier content, if no tool had written it: it can be restored. */
  replaced: fileVersion.nullable().optional(),
});
export type RecordedFile = z.infer<typeof recordedFile>;

/** The files of a branch of its own that an entry kept in the workspace, or took out of it again. */
const branchFilesKept = z.object({
  branch: z.string(),
  id: z.string(),
  /** Whether the branch works in the workspace from then on. */
  isKept: z.boolean(),
});
export type BranchFilesKept = z.infer<typeof branchFilesKept>;

/** The log entry for files that were restored to another point of the conversation, or whose edits were undone. */
const filesRestored = z.object({
  restoreId: z.string(),
  at: z.number(),
  /** The branch it leads to, or, for a new branch, the one that is left; earlier logs leave it out. */
  branch: z.string().optional(),
  branchFiles: branchFilesKept.optional(),
  files: z.array(recordedFile),
});
export type FilesRestored = z.infer<typeof filesRestored>;

/** The log entry for edits that the user kept; in earlier logs, without the points they are at. */
const editsReviewed = z.object({
  at: z.number(),
  branch: z.string().optional(),
  files: z.array(
    z.union([
      recordedFile,
      z.object({
        folder: z.string(),
        path: z.string(),
        /** The new baseline for the file's edits, if some of them were decided. Omitted: all are kept. */
        baseline: fileVersion.nullable().optional(),
      }),
    ]),
  ),
});
export type EditsReviewed = z.infer<typeof editsReviewed>;
export type LoggedFile = EditsReviewed['files'][number];

/**
 * Why files were restored: `move`: with the conversation; `files`: without it; `edits`: the user undid edits. `stay`: none
 * was, as the user chose.
 */
export type RestoreReason = 'move' | 'files' | 'edits' | 'stay';

export function recordDetails(
  recorded: (FilesRestored & { readonly why: RestoreReason | undefined }) | EditsReviewed,
): JsonObject {
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(recorded)));
}

/** What a log entry says about files; undefined for any other entry. */
export function recordOf({ kind, details }: LogEvent): FilesRestored | EditsReviewed | undefined {
  if (kind === 'files-restored') return filesRestored.safeParse(details).data;
  return kind === 'edits-reviewed' ? editsReviewed.safeParse(details).data : undefined;
}

/** One entry of the log about files. */
export interface FileRecord {
  readonly sequence: number;
  readonly createdAt: number;
  /** By its current name. */
  readonly branch: string | undefined;
  readonly record: FilesRestored | EditsReviewed;
}

/** Oldest first. */
export async function readFileRecords(
  store: Pick<ReadonlyStore, 'listEvents'>,
  chatId: string,
): Promise<FileRecord[]> {
  const events = await store.listEvents(chatId, {
    kinds: ['files-restored', 'edits-reviewed', 'branch-renamed'],
  });
  const records: (FileRecord & { branch: string | undefined })[] = [];
  for (const event of events) {
    const { sequence, createdAt, kind, branch, details } = event;
    const record = recordOf(event);
    if (record) records.push({ sequence, createdAt, branch: record.branch, record });
    if (kind !== 'branch-renamed') continue;
    for (const each of records) if (each.branch === details['from']) each.branch = branch;
  }
  return records;
}
