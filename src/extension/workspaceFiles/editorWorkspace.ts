import * as vscode from 'vscode';
import type {
  FileDiagnostic,
  FileSymbol,
  TextSearch,
  WorkspaceHost,
} from '../../agent/tools/files/workspaceHost.ts';
import type { WorkspaceFolder } from '../../platform/workspaceFiles.ts';
import { ripgrepPath } from './ripgrepPath.ts';

/** The open folders on this machine: the tools work with real files. */
export function workspaceFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, uri: uri.toString(), root: uri.fsPath }));
}

/** The open folders and what this editor knows of the files in them. */
export class EditorWorkspace implements WorkspaceHost {
  readonly search: TextSearch = {
    find: async (...given) => (await this.ripgrep()).find(...given),
    secretFiles: async (...given) => (await this.ripgrep()).secretFiles(...given),
  };

  folders(): readonly WorkspaceFolder[] {
    return workspaceFolders();
  }

  /** Loaded when something is searched for. */
  private async ripgrep(): Promise<TextSearch> {
    const { ripgrepSearch } = await import('../../agent/tools/files/ripgrep.ts');
    return ripgrepSearch(() => ripgrepPath(vscode.env.appRoot));
  }

  async findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const found = await withToken(signal, (token) =>
      vscode.workspace.findFiles(pattern, undefined, limit + 1, token),
    );
    return found.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  }

  hasUnsavedChanges(fsPath: string): boolean {
    return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.fsPath === fsPath);
  }

  diagnostics(fsPath: string | undefined): readonly FileDiagnostic[] {
    const all =
      fsPath === undefined
        ? vscode.languages.getDiagnostics()
        : [[vscode.Uri.file(fsPath), vscode.languages.getDiagnostics(vscode.Uri.file(fsPath))] as const];
    return all
      .filter(([{ scheme }]) => scheme === 'file')
      .flatMap(([uri, found]) =>
        found.map(({ range, severity, message, source }) => ({
          fsPath: uri.fsPath,
          line: range.start.line + 1,
          severity: SEVERITIES[severity],
          message,
          source,
        })),
      );
  }

  async symbolsIn(fsPath: string): Promise<readonly FileSymbol[]> {
    const found = await vscode.commands.executeCommand<
      (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
    >('vscode.executeDocumentSymbolProvider', vscode.Uri.file(fsPath));
    return (found ?? []).flatMap((symbol) => flat(fsPath, symbol, undefined));
  }

  async findSymbols(query: string): Promise<readonly FileSymbol[]> {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    );
    return (found ?? [])
      .filter(({ location }) => location.uri.scheme === 'file')
      .map((symbol) => plain(symbol.location.uri.fsPath, symbol));
  }
}

const SEVERITIES = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
} as const;

function flat(
  fsPath: string,
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string | undefined,
): FileSymbol[] {
  if (!('children' in symbol)) return [plain(fsPath, symbol)];
  const { name, kind, range, children } = symbol;
  const own = { fsPath, name, kind: nameOf(kind), line: range.start.line + 1, container };
  return [own, ...children.flatMap((child) => flat(fsPath, child, name))];
}

function plain(
  fsPath: string,
  { name, kind, location, containerName }: vscode.SymbolInformation,
): FileSymbol {
  return { fsPath, name, kind: nameOf(kind), line: location.range.start.line + 1, container: containerName };
}

function nameOf(kind: vscode.SymbolKind): string {
  return vscode.SymbolKind[kind].toLowerCase();
}

/** Runs something that takes VS Code's token until the signal fires. */
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
