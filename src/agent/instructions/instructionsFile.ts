import type { GuardedFile, GuardedFiles } from '../../platform/guardedFiles.ts';
import { WorkspaceFileError } from '../../platform/workspaceFiles.ts';

/** How much of one file is read, in bytes. */
export const MAX_FILE = 32_000;

/** A file in which a project says how it wants to be worked in. */
export interface InstructionsFile {
  /** As the model and the user name it. */
  readonly shown: string;
  readonly uri: string;
  readonly text: string;
  /** How many bytes were left out. */
  readonly leftOut: number;
}

/** Undefined for what leads elsewhere or nowhere: a link that leads out of the folders is not followed. */
export async function placeOf(files: GuardedFiles, uri: string): Promise<GuardedFile | undefined> {
  try {
    const at = await files.resolve({ uri });
    // A link must not make a model read what it would be asked for.
    return at.isSecret ? undefined : at;
  } catch (error) {
    if (error instanceof WorkspaceFileError) return undefined;
    throw error;
  }
}

/** Undefined when it is not there, or no text. */
export async function readInstructionsFile(
  files: GuardedFiles,
  at: GuardedFile,
): Promise<InstructionsFile | undefined> {
  const { uri, shown } = at;
  try {
    const { bytes, size } = await files.readStart(at, MAX_FILE);
    if (bytes.includes(0)) return undefined;
    // A character that was cut in two is left out.
    const text = new TextDecoder().decode(bytes, { stream: true }).trim();
    return text === '' ? undefined : { shown, uri, text, leftOut: Math.max(0, size - bytes.length) };
  } catch {
    // Not there, or not for this user to read: then it says nothing.
    return undefined;
  }
}
