import { z } from 'zod';

const by = z.string();

/** Why an instructions file applies; names are those that the user is shown. */
export const appliedBecause = z.discriminatedUnion('kind', [
  /** The user's own, for all projects. */
  z.object({ kind: z.literal('user') }),
  /** At the top of a workspace folder. */
  z.object({ kind: z.literal('root') }),
  /** Its front matter names all files. */
  z.object({ kind: z.literal('all') }),
  /** It is in a folder on the way to this file. */
  z.object({ kind: z.literal('folder'), of: by }),
  /** One of its patterns matches this file. */
  z.object({ kind: z.literal('pattern'), of: by }),
  /** This file imports it. */
  z.object({ kind: z.literal('import'), by }),
  /** A hook of it adds it to this question. */
  z.object({ kind: z.literal('hook') }),
]);
export type AppliedBecause = z.infer<typeof appliedBecause>;
