import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import { folderFacts, repositoryFacts } from '../../host/folderFacts.ts';

/** What has no scheme leads nowhere: the record is damaged. */
const uri = z.string().regex(/^[a-z][a-z\d+.-]*:./iu);

export const projectFolder = z.object({
  /** As the editor opened it. */
  uri,
  /** For display. */
  name: z.string(),
  ...folderFacts.shape,
  /** Left out where there is none, or it is not known yet. */
  git: repositoryFacts.optional(),
});
export type ProjectFolder = z.infer<typeof projectFolder>;

/** What a window of a workspace has noted of it: one for each storage folder that the editor gives to a workspace. */
export const projectRecord = z.object({
  /** The URI of the storage folder that the editor gave. */
  place: uri,
  /** The URI of the folder whose conversations are in use there; that of `place` unless they are in another one. */
  store: uri,
  /** The name of the workspace. */
  name: z.string(),
  /** The URI of its file, if it has one. */
  file: uri.optional(),
  folders: z.array(projectFolder),
  /** In milliseconds since 1970. */
  usedAt: z.number(),
  /** Stores that its user does not want to be offered. */
  refused: z.array(uri).default([]),
});
export type ProjectRecord = z.infer<typeof projectRecord>;

/** Undefined for what is none, such as a line that is damaged. */
export function readRecord(text: string): ProjectRecord | undefined {
  return projectRecord.safeParse(tryParseJson(text)).data;
}
