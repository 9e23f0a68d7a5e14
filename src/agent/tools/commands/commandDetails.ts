import { z } from 'zod';

const commandDetails = z.object({
  id: z.string(),
  /** Null: it was ended. Left out: it went on when the call ended. */
  exitCode: z.number().nullable().optional(),
});

/** What is kept of a command for programs. */
export type CommandDetails = z.infer<typeof commandDetails>;

/** What came of a command, from the output of its call; undefined for anything else. */
export function commandDetailsIn(output: unknown): CommandDetails | undefined {
  return z.looseObject({ details: commandDetails }).safeParse(output).data?.details;
}
