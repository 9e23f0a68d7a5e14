import { z } from 'zod';

/** What VS Code keeps with a thought, to be given back with it. */
export const keptThinking = z.object({
  id: z.string().optional(),
  /** Of the model's provider, for instance a signature. */
  metadata: z.record(z.string(), z.unknown()).optional(),
});
export type KeptThinking = z.infer<typeof keptThinking>;

/** Under which name of a provider it is kept. */
export const VSCODE = 'vscode';

const marked = z.looseObject({ [VSCODE]: z.looseObject({ thinking: keptThinking }) });

/** Reads what was kept with a thought; undefined where the thought is of another provider. */
export function thinkingOf(metadata: unknown): KeptThinking | undefined {
  return marked.safeParse(metadata).data?.[VSCODE].thinking;
}
