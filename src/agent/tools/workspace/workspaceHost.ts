import type { FileTexts } from '../../../host/fileTexts.ts';
import type { GuardedFiles } from '../../../host/guardedFiles.ts';
import type { FileLocation, OpenedFolder } from '../../../host/workspaceFiles.ts';
import type { Replacement } from './replaceOnce.ts';

/** What the tools need from the editor. Files are identified by their URIs. */
export interface WorkspaceHost extends OpenTexts {
  folders(): readonly OpenedFolder[];
  /** The files in those folders that may be named, read and written. */
  readonly guarded: GuardedFiles;
  /** Files that match a glob, from the editor's search; one more than `limit` when there are more. */
  findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  readonly search: TextSearch;
  /** Loads the editing code with the first edit. */
  loadEdits(): Promise<EditWork>;
  /** Whether the editor's settings make a file read-only. */
  isReadOnly(file: FileLocation): boolean;
  /**
   * The text that an editor would save in place of another one, as the editor of a notebook writes it; undefined when
   * it could not open that.
   */
  asSaved(uri: string, text: string): Promise<string | undefined>;
  /** @returns false when the editor no longer contains `before`, or saving failed */
  saveEdit(uri: string, before: string, after: string): Promise<boolean>;
  /** The editor's diagnostics, for one file or for all. */
  diagnostics(uri: string | undefined): readonly FileDiagnostic[];
  symbolsIn(uri: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
  findSymbols(query: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
}

/** The texts of files as the editor has them. */
export interface OpenTexts {
  /** Those on the disk, in their encodings. Loads what is needed for that. */
  texts(): Promise<FileTexts>;
  /**
   * A file's unsaved text in an editor of any kind, in the form that its file would have; undefined when all of it is
   * saved.
   * @throws WorkspaceFileError when an editor does not give it away
   */
  unsaved(uri: string): Promise<UnsavedText | undefined>;
}

export interface UnsavedText {
  readonly text: string;
  /** The one in which it will be saved, as in `TextEncodings`. */
  readonly encoding: string;
}

export interface EditWork {
  /** The text with each replacement made, in order. @throws ToolError when one fails */
  readonly replaceEach: (shown: string, text: string, replacements: readonly Replacement[]) => string;
}

export interface TextQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  /** Globs of files to search; empty: all. */
  readonly include: readonly string[];
}

export interface FoundFile {
  readonly uri: string;
  /** Below the searched folder, with `/` as separator. */
  readonly path: string;
}

export interface TextMatch extends FoundFile {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

export interface TextMatches {
  readonly matches: readonly TextMatch[];
  /** Reports to a model what was not searched. */
  readonly note?: string;
}

/** Searches text in the files below a folder, except ignored files and git's own. */
export interface TextSearch {
  /**
   * Returns at most one match more than `limit`.
   * @param folder its URI
   * @throws ToolError for a bad query
   */
  find(
    folder: string,
    query: TextQuery,
    limit: number,
    signal: AbortSignal,
    isWanted: (file: FoundFile) => boolean,
  ): Promise<TextMatches>;
  /** The files with secret-like names that would be searched, regardless of content. */
  secretFiles(folder: string, query: TextQuery, signal: AbortSignal): Promise<readonly string[]>;
}

export interface FileDiagnostic {
  readonly uri: string;
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  readonly source: string | undefined;
}

export interface FileSymbol {
  readonly uri: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly kind: string;
  readonly container: string | undefined;
}
