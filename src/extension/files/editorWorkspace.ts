import * as vscode from 'vscode';
import type {
  FileDiagnostic,
  FileSymbol,
  TextSearch,
  UnsavedText,
  WorkspaceHost,
} from '../../agent/tools/workspace/workspaceHost.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { OpenedFolder } from '../../host/workspaceFiles.ts';
import type { foundFiles } from './folderSearch.ts';
import { isFile } from './openFolders.ts';

export interface EditorWorkspaceOptions {
  readonly guarded: GuardedFiles;
  readonly loadEdits: WorkspaceHost['loadEdits'];
  readonly search: TextSearch;
  /** Loaded on first use. */
  readonly loadFinder: () => Promise<{ readonly foundFiles: typeof foundFiles }>;
}

export class EditorWorkspace implements WorkspaceHost {
  readonly guarded: GuardedFiles;
  readonly loadEdits: WorkspaceHost['loadEdits'];
  readonly search: TextSearch;
  private readonly loadFinder: EditorWorkspaceOptions['loadFinder'];

  constructor({ guarded, loadEdits, search, loadFinder }: EditorWorkspaceOptions) {
    this.guarded = guarded;
    this.loadEdits = loadEdits;
    this.search = search;
    this.loadFinder = loadFinder;
  }

  folders(): readonly OpenedFolder[] {
    return this.guarded.folders();
  }

  async findFiles(pattern: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    const finder = await this.loadFinder();
    const found = await withToken(signal, (token) => finder.foundFiles(pattern, limit + 1, { token }));
    return found.filter(isFile).map((uri) => uri.toString());
  }

  unsaved(file: string): UnsavedText | undefined {
    const document = unsavedDocument(file);
    return document && { text: document.getText(), isUtf8: document.encoding === 'utf8' };
  }

  async saveEdit(file: string, before: string, after: string): Promise<boolean> {
    const document = unsavedDocument(file);
    if (document?.getText() !== before) return false;
    const edit = new vscode.WorkspaceEdit();
    const { start, end, text } = onlyChanged(before, after);
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    edit.replace(document.uri, range, text);
    return (await vscode.workspace.applyEdit(edit)) && (await document.save());
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

function unsavedDocument(file: string): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri, isDirty }) => isDirty && uri.toString() === file);
}

/** The part of a text that differs in another one: the text around it keeps its place in the editor. */
function onlyChanged(before: string, after: string): { start: number; end: number; text: string } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  while (start > 0 && isWithinOne(before, start)) start -= 1;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  while (same > 0 && isWithinOne(before, before.length - same)) same -= 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Whether the units on both sides of a position form one character, or one line end. */
function isWithinOne(text: string, at: number): boolean {
  const [last, next] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return (last === 0x0d && next === 0x0a) || (last >= 0xd800 && last <= 0xdbff);
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
