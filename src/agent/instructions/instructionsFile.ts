import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';
import type { AppliedBecause } from './appliedBecause.ts';
import type { ImportProblem } from './instructionImports.ts';

/** How much of one file is read, in bytes. */
export const MAX_FILE = 32_000;

export interface InstructionsFile {
  /** As the model and the user name it. */
  readonly shown: string;
  readonly uri: string;
  readonly text: string;
  /** In bytes. */
  readonly leftOut: number;
}

/** One that applies, and why. */
export interface AppliedInstructions extends InstructionsFile {
  readonly because: AppliedBecause;
}

export type UnusedReason =
  | { readonly kind: 'same'; readonly as: string }
  | { readonly kind: 'replaced'; readonly by: string }
  | { readonly kind: 'unreadable'; readonly problem: string }
  /** An import of this file has no effect. @param written as in the file */
  | { readonly kind: 'import'; readonly written: string; readonly problem: ImportProblem };

export interface UnusedInstructions {
  readonly shown: string;
  readonly uri: string;
  readonly reason: UnusedReason;
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
  texts: FileTexts,
): Promise<InstructionsFile | undefined> {
  const { uri, shown } = at;
  try {
    const { bytes, size } = await files.readStart(at, MAX_FILE);
    const file = await texts.read(uri, bytes);
    if (file.isBinary) return undefined;
    const leftOut = Math.max(0, size - bytes.length);
    // A character that was cut in two is omitted.
    const text = (leftOut > 0 ? file.text.replace(/\uFFFD+$/u, '') : file.text).trim();
    return text === '' ? undefined : { shown, uri, text, leftOut };
  } catch {
    // It does not exist or this user cannot read it: treat it as empty.
    return undefined;
  }
}
