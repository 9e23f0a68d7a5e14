import { z } from 'zod';

/** The longest command, in UTF-16 units. */
const MAX_COMMAND = 10_000;

/** How long to wait for a command, in seconds, unless the model sets another time. */
const WAIT_SECONDS = 120;
const MAX_WAIT_SECONDS = 3_600;

const waitSeconds = z.number().min(0).max(MAX_WAIT_SECONDS).default(WAIT_SECONDS);

/** The input of `run_command`. */
export const runCommandInput = z.object({
  command: z.string().trim().min(1).max(MAX_COMMAND),
  folder: z.string().max(4_096).optional(),
  waitSeconds,
});

/** The input of `read_command`. */
export const readCommandInput = z.object({
  id: z.string().max(100),
  waitSeconds,
  stop: z.boolean().optional(),
});

export type RunCommandInput = z.output<typeof runCommandInput>;
export type ReadCommandInput = z.output<typeof readCommandInput>;
