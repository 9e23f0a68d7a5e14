import { z } from 'zod';

const commandDetails = z.object({
  id: z.string(),
  /** Null: it was killed. Omitted: it was still running when the call ended. */
  exitCode: z.number().nullable().optional(),
});

export type CommandDetails = z.infer<typeof commandDetails>;

/** The record of a command from the output of its call; undefined for anything else. */
export function commandDetailsIn(output: unknown): CommandDetails | undefined {
  return z.looseObject({ details: commandDetails }).safeParse(output).data?.details;
}
