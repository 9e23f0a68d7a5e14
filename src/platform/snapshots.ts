import { z } from 'zod';

/** What the next snapshot is to be made of: the files of this database, up to the journal before `generation`. */
export const snapshotRequest = z.object({
  folder: z.string(),
  database: z.string(),
  generation: z.number().int().positive(),
});
export type SnapshotRequest = z.infer<typeof snapshotRequest>;

/**
 * Makes the file of the next snapshot away from the thread that saves. It reads files that nobody changes any more, so
 * it needs nothing from the writer.
 */
export interface SnapshotBuilder {
  /** @returns the size of the file in bytes, once all of it is on the disk */
  build(request: SnapshotRequest, signal: AbortSignal): Promise<number>;
}
