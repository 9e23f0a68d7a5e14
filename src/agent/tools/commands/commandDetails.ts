import { z } from 'zod';

/** What a wall has refused, as far as a command says it. */
const wallRefusal = z.enum(['network', 'writing', 'access']);
export type WallRefusal = z.infer<typeof wallRefusal>;

const commandDetails = z.object({
  id: z.string(),
  /** Null: it was killed. Omitted: it was still running when the call ended. */
  exitCode: z.number().nullable().optional(),
  /** Left out: it ran without a sandbox. */
  sandbox: z
    .object({
      refused: z.array(wallRefusal),
      /** The hosts that it wanted to reach and may not, with their ports unless they are the default. */
      hosts: z.array(z.string()).optional(),
      /** The protected files that it made, by their paths in the folders; they were given another name. */
      made: z.array(z.string()).optional(),
      /** There was too much to be looked through: it may have made more of them. */
      isCut: z.literal(true).optional(),
    })
    .optional(),
});

export type CommandDetails = z.infer<typeof commandDetails>;

/** The record of a command from the output of its call; undefined for anything else. */
export function commandDetailsIn(output: unknown): CommandDetails | undefined {
  return z.looseObject({ details: commandDetails }).safeParse(output).data?.details;
}
