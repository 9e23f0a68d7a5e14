import { z } from 'zod';
import { fileVersion, type FileChange, type FileVersion } from '../engine/effects.ts';
import type { JsonObject } from '../engine/json.ts';
import type { ReadonlyStore } from '../engine/readonlyStore.ts';
import type { MessageFiles } from '../engine/store.ts';
import type { FileLocation } from '../host/workspaceFiles.ts';
import { keyOf } from './contentVersion.ts';

const restoredFile = z.object({
  folder: z.string(),
  path: z.string(),
  /** The file's current position in the conversation; null: before its first message. */
  messageId: z.string().nullable(),
  /** Its content there. */
  version: fileVersion.nullable(),
  /** Its earlier content, if no tool had written it: it can be restored. */
  replaced: fileVersion.nullable().optional(),
});

export type RestoredFile = z.infer<typeof restoredFile>;

/** The log entry for files that were restored to another point of the conversation. */
const filesRestored = z.object({
  restoreId: z.string(),
  at: z.number(),
  files: z.array(restoredFile),
});
export type FilesRestored = z.infer<typeof filesRestored>;

export function filesRestoredDetails(restored: FilesRestored): JsonObject {
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(restored)));
}

export async function readRestores(store: ReadonlyStore, chatId: string): Promise<FilesRestored[]> {
  const events = await store.listEvents(chatId, { kind: 'files-restored' });
  return events.flatMap(({ details }) => filesRestored.safeParse(details).data ?? []);
}

/** A file's position: the point of the conversation it was last restored to, and its content there. */
export interface FileStand {
  readonly location: FileLocation;
  readonly messageId: string | null;
  readonly version: FileVersion | null;
  readonly at: number;
}

/**
 * The file changes of one chat's tools, and the current position of each file. Read only from the store: a chat can
 * be rewound without its files and answers may continue on hidden branches, but each file has one position.
 */
export class FileHistory {
  private readonly changes = new Map<string, readonly FileChange[]>();
  private readonly standing = new Map<string, FileStand>();
  private readonly restoreIds = new Set<string>();
  /** By file, all content from tools or restores by its kind and hash; `null` for no file. */
  private readonly left = new Map<string, Set<string | null>>();
  private readonly folders = new Set<string>();
  private latest = 0;

  private constructor(messages: readonly MessageFiles[], restores: readonly FilesRestored[]) {
    for (const { messageId, files } of messages) {
      this.changes.set(messageId, files);
      for (const { folder, path, before, after, at, madeFolders = [] } of files) {
        const location = { folder, path };
        // The content before the first change is the user's own, and kept with it.
        if (!this.left.has(keyOf(location))) this.remember(location, before);
        this.stand({ location, messageId, version: after, at });
        for (const made of madeFolders) this.folders.add(keyOf({ folder, path: made }));
      }
    }
    for (const { restoreId, at, files } of restores) {
      this.restoreIds.add(restoreId);
      for (const { folder, path, messageId, version } of files) {
        this.stand({ location: { folder, path }, messageId, version, at });
      }
    }
  }

  static async read(store: ReadonlyStore, chatId: string): Promise<FileHistory> {
    // A chat does not exist before its first question.
    if (!(await store.getChat(chatId))) return new FileHistory([], []);
    const messages = await store.listFileChanges(chatId);
    return new FileHistory(messages, await readRestores(store, chatId));
  }

  /** Every file that a tool of this chat ever changed. */
  get stands(): readonly FileStand[] {
    return [...this.standing.values()];
  }

  /** Undefined when no tool of this chat ever changed the file. */
  standOf(location: FileLocation): FileStand | undefined {
    return this.standing.get(keyOf(location));
  }

  changesOf(messageId: string): readonly FileChange[] {
    return this.changes.get(messageId) ?? [];
  }

  /** The parent folders of a file that a tool created, outermost first. */
  madeFoldersOf({ folder, path }: FileLocation): string[] {
    const parts = path.split('/');
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
    return above.filter((each) => this.folders.has(keyOf({ folder, path: each })));
  }

  /** Whether a tool or a restore ever left this content in the file: then it is stored, and cannot be lost. */
  wasLeft(location: FileLocation, version: FileVersion | null): boolean {
    return this.left.get(keyOf(location))?.has(contentKey(version)) ?? false;
  }

  /** A time after all known events, so that a new event is the latest. */
  nextMoment(now: number): number {
    return Math.max(now, this.latest + 1);
  }

  hasRestored(restoreId: string): boolean {
    return this.restoreIds.has(restoreId);
  }

  private stand(stands: FileStand): void {
    const key = keyOf(stands.location);
    this.remember(stands.location, stands.version);
    this.latest = Math.max(this.latest, stands.at);
    if (stands.at >= (this.standing.get(key)?.at ?? 0)) this.standing.set(key, stands);
  }

  private remember(location: FileLocation, version: FileVersion | null): void {
    const key = keyOf(location);
    const known = this.left.get(key) ?? new Set();
    this.left.set(key, known.add(contentKey(version)));
  }
}

function contentKey(version: FileVersion | null): string | null {
  return version && `${version.kind ?? 'file'} ${version.hash}`;
}
