import * as vscode from 'vscode';
import { readInstructions, type InstructionsProblem } from '../../agent/instructions/instructions.ts';
import { shownName } from '../context/shownName.ts';
import type { Services } from '../services.ts';
import { VirtualFiles } from '../virtualFiles.ts';
import type { InstructionsOf } from './instructionsName.ts';
import { problemText, templateFor } from './instructionsTexts.ts';

const SCHEME = 'offshoot-instructions';

type DocumentServices = Pick<Services, 'instructions' | 'store' | 'onDidRefresh'>;

/**
 * The person's instructions as documents of the editor. What cannot be read is marked while it is typed, and is not
 * saved: the document stays open as it is, and what was saved before stays in force.
 */
export function registerInstructionsDocuments(services: DocumentServices): vscode.Disposable {
  const { instructions, onDidRefresh } = services;
  const files = new InstructionsFileSystem(services);
  const marked = vscode.languages.createDiagnosticCollection('offshoot');
  const check = (document: vscode.TextDocument): void => {
    if (document.uri.scheme !== SCHEME) return;
    const read = readInstructions(document.getText());
    marked.set(document.uri, read.ok ? [] : read.problems.map((problem) => diagnostic(document, problem)));
  };
  return vscode.Disposable.from(
    files,
    marked,
    vscode.workspace.registerFileSystemProvider(SCHEME, files, { isCaseSensitive: true }),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => marked.delete(uri)),
    instructions.onDidChange(() => files.changedOutside()),
    onDidRefresh(() => files.changedOutside()),
  );
}

/** Opens the document in which instructions are written. @param title of the chat they are of */
export async function editInstructions(of: InstructionsOf, title: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(of, title));
  // Where nothing knows TOML, its colours are near enough to those of an ini file.
  const known = await vscode.languages.getLanguages();
  const language = ['toml', 'ini'].find((each) => known.includes(each));
  const shown =
    language === undefined || document.languageId === language
      ? document
      : await vscode.languages.setTextDocumentLanguage(document, language);
  await vscode.window.showTextDocument(shown, { preview: false });
}

function uriOf(of: InstructionsOf, title: string): vscode.Uri {
  const name = title.replaceAll(/[/\\?#%:]/gu, '_');
  return vscode.Uri.from({
    scheme: SCHEME,
    path: `/${shownName(name, 60)}.toml`,
    query: of === 'workspace' ? '' : of.chatId,
  });
}

function ofUri({ query }: vscode.Uri): InstructionsOf {
  return query === '' ? 'workspace' : { chatId: query };
}

function diagnostic(document: vscode.TextDocument, problem: InstructionsProblem): vscode.Diagnostic {
  const line = document.lineAt(Math.min(Math.max(0, problem.line), document.lineCount - 1));
  const start = new vscode.Position(line.lineNumber, Math.max(0, Math.min(problem.column, line.text.length)));
  const range = new vscode.Range(start, line.range.end);
  const made = new vscode.Diagnostic(range, problemText(problem), vscode.DiagnosticSeverity.Error);
  made.source = 'Offshoot';
  return made;
}

class InstructionsFileSystem extends VirtualFiles {
  /** Those an editor looks at. */
  private readonly watched = new Map<string, vscode.Uri>();

  constructor(private readonly services: DocumentServices) {
    super();
  }

  /** An open editor reads anew what is saved now. */
  changedOutside(): void {
    const type = vscode.FileChangeType.Changed;
    this.changed.fire([...this.watched.values()].map((uri) => ({ type, uri })));
  }

  override watch(uri: vscode.Uri): vscode.Disposable {
    this.watched.set(uri.toString(), uri);
    return new vscode.Disposable(() => this.watched.delete(uri.toString()));
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { instructions, store } = this.services;
    const versions = await instructions.versions(ofUri(uri));
    const size = (await this.readFile(uri)).byteLength;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      // It counts the versions: the editor asks whether it has become another one.
      mtime: versions.length,
      size,
      ...(store.isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const of = ofUri(uri);
    const source = await this.services.instructions.source(of);
    return new TextEncoder().encode(source ?? templateFor(of));
  }

  /** @throws FileSystemError when it cannot be read as instructions; nothing is saved then */
  override async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const source = new TextDecoder().decode(content);
    const read = readInstructions(source);
    const problem = read.ok ? undefined : read.problems[0];
    if (problem) {
      const where = vscode.l10n.t('line {0}', problem.line + 1);
      throw vscode.FileSystemError.Unavailable(`${problemText(problem)} (${where})`);
    }
    const of = ofUri(uri);
    if ((await this.services.instructions.source(of)) !== source)
      await this.services.instructions.save(of, source);
  }
}
