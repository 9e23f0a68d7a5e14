import { z } from 'zod';

/** The sources of the next snapshot: the files of this database, up to the journal before `generation`. */
export const snapshotRequest = z.object({
  folder: z.string(),
  database: z.string(),
  generation: z.number().int().positive(),
});
export type SnapshotRequest = z.infer<typeof snapshotRequest>;

/**
 * Makes the file of the next snapshot outside the thread that saves. It reads files that no longer change, so it
 * needs nothing from the writer.
 */
export interface SnapshotBuilder {
  /** @returns the size of the file in bytes, once it is on disk */
  build(request: SnapshotRequest, signal: AbortSignal): Promise<number>;
}
