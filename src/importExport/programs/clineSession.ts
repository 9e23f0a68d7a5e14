import { z } from 'zod';

// Sessions of Cline since version 3: `<id>.messages.json` with what was said, and `<id>.json` about it.

export const clineSession = z.object({
  version: z.number(),
  sessionId: z.string(),
  messages: z.array(z.unknown()),
});

export const clineManifest = z.object({
  cwd: z.string().optional().catch(undefined),
  metadata: z
    .object({ title: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
