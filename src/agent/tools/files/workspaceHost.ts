import type { WorkspaceFolder } from './workspacePaths.ts';

/** What the editor knows and can do, as far as the tools need it. */
export interface WorkspaceHost {
  folders(): readonly WorkspaceFolder[];
  /** Real paths of files that match a glob, as the editor finds them; one more than `limit` when there are more. */
  findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]>;
  readonly search: TextSearch;
  /** Whether an editor holds changes of this file that are not on the disk. */
  hasUnsavedChanges(fsPath: string): boolean;
  /** Problems the editor knows of, in one file or in all. */
  diagnostics(fsPath: string | undefined): readonly FileDiagnostic[];
  /** Names that are defined in a file. */
  symbolsIn(fsPath: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
  /** Names in the workspace that match. */
  findSymbols(query: string, signal: AbortSignal): Promise<readonly FileSymbol[]>;
}

export interface TextQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  /** Globs of files to look into; none: all. */
  readonly include: readonly string[];
}

export interface TextMatch {
  readonly fsPath: string;
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Finds text in the files below a folder; at most one match more than `limit`. Rejects with a ToolError for a bad query. */
export type TextSearch = (
  root: string,
  query: TextQuery,
  limit: number,
  signal: AbortSignal,
) => Promise<readonly TextMatch[]>;

export interface FileDiagnostic {
  readonly fsPath: string;
  /** From 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'info' | 'hint';
  readonly message: string;
  readonly source: string | undefined;
}

export interface FileSymbol {
  readonly fsPath: string;
  /** From 1. */
  readonly line: number;
  readonly name: string;
  readonly kind: string;
  readonly container: string | undefined;
}
