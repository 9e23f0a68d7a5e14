import type { GuardedFiles } from '../../../platform/guardedFiles.ts';
import type { OpenedFolder } from '../../../platform/workspaceFiles.ts';
import type { Replacement } from './writeToolInput.ts';

/** What the editor knows and can do, as far as the tools need it. Files are known by their URIs. */
export interface WorkspaceHost {
  folders(): readonly OpenedFolder[];
  /** What of those folders may be named, read and written. */
  readonly guarded: GuardedFiles;
  /** Files that match a glob, as the editor finds them; one more than `limit` when there are more. */
  findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  readonly search: TextSearch;
  /** What changes texts, loaded with the first edit. */
  loadEdits(): Promise<EditWork>;
  /** What an editor holds of a file that is not on the disk; undefined when all of it is saved. */
  unsaved(uri: string): UnsavedText | undefined;
  /**
   * Makes what an editor holds of a file `after`, and saves it.
   * @returns false when the editor does not hold `before` any more, or it could not be saved
   */
  saveEdit(uri: string, before: string, after: string): Promise<boolean>;
  /** Problems the editor knows of, in one file or in all. */
  diagnostics(uri: string | undefined): readonly FileDiagnostic[];
  /** Names that are defined in a file. */
  symbolsIn(uri: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
  /** Names in the workspace that match. */
  findSymbols(query: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
}

/** What somebody typed and did not save. */
export interface UnsavedText {
  readonly text: string;
  /** It will be saved in UTF-8, without a mark of that. */
  readonly isUtf8: boolean;
}

export interface EditWork {
  /** The text with each replacement made, in order. @throws ToolError where one cannot be made */
  readonly replaceEach: (shown: string, text: string, replacements: readonly Replacement[]) => string;
}

export interface TextQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  /** Globs of files to look into; none: all. */
  readonly include: readonly string[];
}

/** A file that was looked into. */
export interface FoundFile {
  readonly uri: string;
  /** Below the folder that is searched, with `/` between the parts. */
  readonly path: string;
}

export interface TextMatch extends FoundFile {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** What a search found. */
export interface TextMatches {
  readonly matches: readonly TextMatch[];
  /** Says to a model what was not looked into. */
  readonly note?: string;
}

/** Finds text in the files below a folder, but for those git ignores, and but for repositories. */
export interface TextSearch {
  /**
   * At most one match more than `limit`.
   * @param folder its URI
   * @param isWanted decides for each file whether its matches count
   * @throws ToolError for a bad query
   */
  find(
    folder: string,
    query: TextQuery,
    limit: number,
    signal: AbortSignal,
    isWanted: (file: FoundFile) => boolean,
  ): Promise<TextMatches>;
  /** Of the files that would be looked into, those that are called as files with secrets are; whatever they hold. */
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
