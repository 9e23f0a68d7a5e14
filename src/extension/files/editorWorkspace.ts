import * as vscode from 'vscode';
import type {
  FileDiagnostic,
  FileSymbol,
  TextSearch,
  UnsavedText,
  WorkspaceHost,
} from '../../agent/tools/workspace/workspaceHost.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import type { foundFiles } from './folderSearch.ts';
import { isReadOnlyInEditor } from './globs.ts';
import { isFile } from './openFolders.ts';
import type { openTexts } from './openTexts.ts';

export interface EditorWorkspaceOptions {
  readonly guarded: GuardedFiles;
  readonly loadEdits: WorkspaceHost['loadEdits'];
  readonly search: TextSearch;
  /** The only folders that files are found in; left out: the open ones. */
  readonly searched?: readonly string[] | undefined;
  /** Loaded on first use. */
  readonly loadFinder: () => Promise<{ readonly foundFiles: typeof foundFiles }>;
  /** The same. */
  readonly loadTexts: () => Promise<{ readonly openTexts: typeof openTexts }>;
}

export class EditorWorkspace implements WorkspaceHost {
  readonly guarded: GuardedFiles;
  readonly loadEdits: WorkspaceHost['loadEdits'];
  readonly search: TextSearch;
  readonly isReadOnly = isReadOnlyInEditor;
  private readonly searched: EditorWorkspaceOptions['searched'];
  private readonly loadFinder: EditorWorkspaceOptions['loadFinder'];
  private readonly loadTexts: EditorWorkspaceOptions['loadTexts'];

  constructor({ guarded, loadEdits, search, searched, loadFinder, loadTexts }: EditorWorkspaceOptions) {
    this.guarded = guarded;
    this.loadEdits = loadEdits;
    this.search = search;
    this.searched = searched;
    this.loadFinder = loadFinder;
    this.loadTexts = loadTexts;
  }

  folders(): readonly OpenedFolder[] {
    return this.guarded.folders();
  }

  async findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const finder = await this.loadFinder();
    const found = await withToken(signal, async (token) => {
      if (!this.searched) return finder.foundFiles(pattern, limit + 1, { token });
      const inEach = this.searched.map((folder) => finder.foundFiles(pattern, limit + 1, { folder, token }));
      return (await Promise.all(inEach)).flat();
    });
    return found.filter(isFile).map((uri) => uri.toString());
  }

  async texts(): Promise<FileTexts> {
    return (await this.loadTexts()).openTexts.texts();
  }

  async unsaved(file: string): Promise<UnsavedText | undefined> {
    return (await this.loadTexts()).openTexts.unsaved(file);
  }

  async asSaved(file: string, text: string): Promise<string | undefined> {
    return (await this.loadTexts()).openTexts.asSaved(file, text);
  }

  async saveEdit(file: string, before: string, after: string): Promise<boolean> {
    return (await this.loadTexts()).openTexts.saveEdit(file, before, after);
  }

  diagnostics(file: string | undefined): readonly FileDiagnostic[] {
    const of = file === undefined ? undefined : vscode.Uri.parse(file, true);
    const all = of ? [[of, vscode.languages.getDiagnostics(of)] as const] : vscode.languages.getDiagnostics();
    return all
      .filter(([uri]) => isFile(uri))
      .flatMap(([uri, found]) =>
        found.map(({ range, severity, message, source }) => ({
          uri: uri.toString(),
          line: range.start.line + 1,
          severity: SEVERITIES[severity],
          message,
          source,
        })),
      );
  }

  async symbolsIn(file: string): Promise<readonly FileSymbol[]> {
    const found = await vscode.commands.executeCommand<
      (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', vscode.Uri.parse(file, true));
    return (found ?? []).flatMap((symbol) => flat(file, symbol, undefined));
  }

  async findSymbols(query: string): Promise<readonly FileSymbol[]> {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    return (found ?? [])
      .filter(({ location }) => isFile(location.uri))
      .map((symbol) => plain(symbol.location.uri.toString(), symbol));
  }
}

const SEVERITIES = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
} as const;

function flat(
  uri: string,
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string | undefined,
): FileSymbol[] {
  if (!('children' in symbol)) return [plain(uri, symbol)];
  const { name, kind, range, children } = symbol;
  const own = { uri, name, kind: nameOf(kind), line: range.start.line + 1, container };
  return [own, ...children.flatMap((child) => flat(uri, child, name))];
}

function plain(uri: string, { name, kind, location, containerName }: vscode.SymbolInformation): FileSymbol {
  return { uri, name, kind: nameOf(kind), line: location.range.start.line + 1, container: containerName };
}

function nameOf(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}

export async function withToken<T>(
  signal: AbortSignal,
  work: (token: vscode.CancellationToken) => Thenable<T>,
): Promise<T> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await work(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
