import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFile, GuardedFiles } from '../../host/guardedFiles.ts';
import { WorkspaceFileError } from '../../host/workspaceFiles.ts';

/** The largest file with a prompt or an agent, in bytes: all of it is sent to the model. */
export const MAX_MARKDOWN = 100_000;

/** How many files of a folder are read. */
export const MAX_NAMES = 200;

export type MarkdownProblem =
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'no-text' }
  | { readonly kind: 'secret' }
  | { readonly kind: 'front-matter'; readonly text: string };

export type ReadMarkdown =
  | { readonly at: GuardedFile; readonly text: string; readonly problem?: undefined }
  | { readonly at: GuardedFile; readonly problem: MarkdownProblem };

/** The names of the files of a folder, in order; none where there is no such folder. */
export async function namesIn(files: GuardedFiles, uri: string): Promise<string[]> {
  try {
    const entries = await files.list(await files.resolve({ uri }));
    const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
    return names.sort().slice(0, MAX_NAMES);
  } catch (error) {
    if (error instanceof WorkspaceFileError || isOfSystem(error)) return [];
    throw error;
  }
}

/** Undefined when it no longer exists, leads elsewhere, or may not be read. */
export async function readMarkdown(
  files: GuardedFiles,
  uri: string,
  texts: FileTexts,
): Promise<ReadMarkdown | undefined> {
  try {
    const at = await files.resolve({ uri });
    if (at.isSecret) return { at, problem: { kind: 'secret' } };
    const { bytes, size } = await files.readStart(at, MAX_MARKDOWN);
    if (size > MAX_MARKDOWN) return { at, problem: { kind: 'too-large', size } };
    const file = await texts.read(at.uri, bytes);
    if (file.isBinary || !(await file.isWhole())) return { at, problem: { kind: 'no-text' } };
    return { at, text: file.text };
  } catch (error) {
    if (error instanceof WorkspaceFileError || isOfSystem(error)) return undefined;
    throw error;
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
