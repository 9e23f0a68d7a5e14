import { statfs } from 'node:fs/promises';

/**
 * File systems on which a write to a file opened with O_DSYNC is as durable as one with a sync after it, and which
 * answer at once what is known of an open file: those of Linux for disks of its own, by the number that `statfs` gives.
 * Of one in a network or in another program nobody knows what becomes of the flag, and macOS does not flush the disk's
 * own cache for it.
 */
const WRITTEN_THROUGH = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // overlayfs, as in a container, which hands writes on to one of these
]);

/** Whether one write with O_DSYNC takes the place of writing and syncing, each of which waits for a thread. */
export async function isWrittenThrough(file: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    return WRITTEN_THROUGH.has((await statfs(file)).type);
  } catch {
    // Whatever it is, opening the file says so.
    return false;
  }
}
