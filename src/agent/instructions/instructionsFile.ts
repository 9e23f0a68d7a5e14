import type { GuardedFile, GuardedFiles } from '../../platform/guardedFiles.ts';
import { WorkspaceFileError } from '../../platform/workspaceFiles.ts';

/** How much of one file is read, in bytes. */
export const MAX_FILE = 32_000;

/** A file with a project's instructions. */
export interface InstructionsFile {
  /** As the model and the user name it. */
  readonly shown: string;
  readonly uri: string;
  readonly text: string;
  /** How many bytes were left out. */
  readonly leftOut: number;
}

/** Undefined if it does not exist or leads elsewhere: a link that leads out of the folders is not followed. */
export async function placeOf(files: GuardedFiles, uri: string): Promise<GuardedFile | undefined> {
  try {
    const at = await files.resolve({ uri });
    // A link must not make a model read a file that would need approval.
    return at.isSecret ? undefined : at;
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}

/** Undefined when it does not exist or is not text. */
export async function readInstructionsFile(
  files: GuardedFiles,
  at: GuardedFile,
): Promise<InstructionsFile | undefined> {
  const { uri, shown } = at;
  try {
    const { bytes, size } = await files.readStart(at, MAX_FILE);
    if (bytes.includes(0)) return undefined;
    // A character that was cut in two is omitted.
    const text = new TextDecoder().decode(bytes, { stream: true }).trim();
    return text === '' ? undefined : { shown, uri, text, leftOut: Math.max(0, size - bytes.length) };
  } catch {
    // It does not exist or this user cannot read it: treat it as empty.
    return undefined;
  }
}
