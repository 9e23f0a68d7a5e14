import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';

/** The largest prompt file or skill, in bytes: all of it is sent to the model. */
export const MAX_PROMPT = 100_000;

/** Why a prompt file or a skill cannot be used. */
export type PromptProblem =
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'no-text' }
  | { readonly kind: 'secret' }
  | { readonly kind: 'outside' }
  | { readonly kind: 'no-description' }
  | { readonly kind: 'front-matter'; readonly text: string };

interface PromptText {
  readonly at: GuardedFile;
  /** Empty when there is a problem. */
  readonly text: string;
  readonly problem: PromptProblem | undefined;
}

/** As saved on disk. @throws WorkspaceFileError when it does not exist or leads elsewhere, and errors of the system */
export async function readPromptText(
  files: GuardedFiles,
  uri: string,
  texts: FileTexts,
): Promise<PromptText> {
  const at = await files.resolve({ uri });
  const unusable = (problem: PromptProblem): PromptText => ({ at, text: '', problem });
  if (at.isSecret) return unusable({ kind: 'secret' });
  const { bytes, size } = await files.readStart(at, MAX_PROMPT);
  if (size > MAX_PROMPT) return unusable({ kind: 'too-large', size });
  const file = await texts.read(at.uri, bytes);
  if (file.isBinary || !(await file.isWhole())) return unusable({ kind: 'no-text' });
  return { at, text: file.text, problem: undefined };
}

/** Whether a file or folder could not be reached; any other error is a fault of the program. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof WorkspaceFileError || (error instanceof Error && 'code' in error && 'syscall' in error)
  );
}
