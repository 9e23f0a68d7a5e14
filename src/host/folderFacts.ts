import { z } from 'zod';

/** By what the disk knows a folder. A folder that is renamed or moved on its disk keeps all three. */
export const fileFacts = z.object({
  device: z.string(),
  /** Its inode, or what is one on this system. */
  id: z.string(),
  /** When it was made; '0' where the disk does not say. Ids are given out again, so that both are needed. */
  born: z.string(),
});

export const repositoryFacts = z.object({
  /** The URI of the folder that all work trees of the repository share. */
  common: z.string(),
  /** The commit that its history begins with; left out if there is none yet, or it is not here. */
  first: z.string().optional(),
  /** Where the folder is in its work tree: '' for the work tree itself. */
  below: z.string(),
});
export type RepositoryFacts = z.infer<typeof repositoryFacts>;

/** What a folder is recognized by when it is opened another way. */
export const folderFacts = z.object({
  /** Its URI, all links resolved, written so that two of one folder are equal. */
  real: z.string(),
  /** The machine whose disks `file` is of: that of the extension host, or '' in a browser. */
  machine: z.string(),
  /** Left out if the folder is not on a disk, or can't be reached. */
  file: fileFacts.optional(),
});
export type FolderFacts = z.infer<typeof folderFacts>;

/** For a folder that only the editor reaches: its scheme, authority and path are all there is. */
export function factsOfUri(uri: string): FolderFacts {
  return { real: uri.replace(/(?<=[^/:])\/+$/u, ''), machine: '' };
}
