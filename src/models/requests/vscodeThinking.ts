import { z } from 'zod';

/** VS Code's metadata of a reasoning part, to be sent back with it. */
export const keptThinking = z.object({
  id: z.string().optional(),
  /** From the model's provider, for instance a signature. */
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type KeptThinking = z.infer<typeof keptThinking>;

/** The provider name under which it is stored. */
export const VSCODE = 'vscode';

const marked = z.looseObject({ [VSCODE]: z.looseObject({ thinking: keptThinking }) });

/** Reads the metadata of a reasoning part; undefined for another provider's. */
export function thinkingOf(metadata: unknown): KeptThinking | undefined {
  return marked.safeParse(metadata).data?.[VSCODE].thinking;
}
