import { z } from 'zod';
import { wallRefusal } from './wallRefusals.ts';

const commandDetails = z.object({
  id: z.string(),
  /** Null: it was killed. Omitted: it was still running when the call ended. */
  exitCode: z.number().nullable().optional(),
  /** Left out: it ran without a sandbox. */
  sandbox: z
    .object({
      refused: z.array(wallRefusal),
      /** The protected files that it made, as the user names them. */
      made: z.array(z.string()).optional(),
    })
    .optional(),
});

export type CommandDetails = z.infer<typeof commandDetails>;

/** The record of a command from the output of its call; undefined for anything else. */
export function commandDetailsIn(output: unknown): CommandDetails | undefined {
  return z.looseObject({ details: commandDetails }).safeParse(output).data?.details;
}
