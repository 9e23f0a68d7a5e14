import * as vscode from 'vscode';
import type { InstructionsProblem } from '../../agent/instructions/instructions.ts';
import { shownName } from '../ui/shownName.ts';
import { VirtualFiles } from '../ui/virtualFiles.ts';
import { logFailure } from '../ui/failures.ts';
import type { InstructionsOf, InstructionsKept } from './instructionsKept.ts';
import { INSTRUCTIONS_SCHEME } from './registerInstructionsFiles.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

/** @param title of the chat they belong to */
export async function editInstructions(of: InstructionsOf, title: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(of, title));
  // Without support for TOML, the colors of an ini file are close enough.
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
    scheme: INSTRUCTIONS_SCHEME,
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

/** A document with errors is not saved: it stays open as it is, and the last saved version stays in force. */
export class InstructionsDocuments extends VirtualFiles {
  private readonly watched = new Map<string, vscode.Uri>();
  private readonly marked = vscode.languages.createDiagnosticCollection('offshoot');
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly deps: {
      readonly instructions: InstructionsKept;
      readonly log: vscode.LogOutputChannel;
      readonly onDidRefresh: vscode.Event<void>;
      readonly store: ReadonlyStore;
    },
  ) {
    super();
    const { instructions, onDidRefresh } = deps;
    for (const document of vscode.workspace.textDocuments) this.check(document);
    this.subscriptions = vscode.Disposable.from(
      this.marked,
      vscode.workspace.onDidOpenTextDocument((document) => this.check(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.check(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.marked.delete(uri)),
      instructions.onDidChange(() => this.changedOutside()),
      onDidRefresh(() => this.changedOutside()),
    );
  }

  /** Open editors then read the saved version. */
  private changedOutside(): void {
    const type = vscode.FileChangeType.Changed;
    this.changed.fire([...this.watched.values()].map((uri) => ({ type, uri })));
  }

  override watch(uri: vscode.Uri): vscode.Disposable {
    this.watched.set(uri.toString(), uri);
    return new vscode.Disposable(() => this.watched.delete(uri.toString()));
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { instructions, store } = this.deps;
    const versions = await instructions.versions(ofUri(uri));
    const size = (await this.readFile(uri)).byteLength;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      // The number of versions: the editor checks whether it has changed.
      mtime: versions.length,
      size,
      ...(store.isReadOnly ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const of = ofUri(uri);
    const source = await this.deps.instructions.source(of);
    return new TextEncoder().encode(source ?? templateFor(of));
  }

  /** @throws FileSystemError when it cannot be read as instructions; nothing is saved then */
  override async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const source = new TextDecoder().decode(content);
    const { readInstructions } = await import('../../agent/instructions/instructions.ts');
    const read = readInstructions(source);
    const problem = read.ok ? undefined : read.problems[0];
    if (problem) {
      const where = vscode.l10n.t('line {0}', problem.line + 1);
      throw vscode.FileSystemError.Unavailable(`${problemText(problem)} (${where})`);
    }
    const of = ofUri(uri);
    if ((await this.deps.instructions.source(of)) !== source) await this.deps.instructions.save(of, source);
  }

  override dispose(): void {
    this.subscriptions.dispose();
    super.dispose();
  }

  private check(document: vscode.TextDocument): void {
    if (document.uri.scheme !== INSTRUCTIONS_SCHEME) return;
    this.mark(document).catch((error: unknown) => logFailure(this.deps.log, 'instructions', error));
  }

  private async mark(document: vscode.TextDocument): Promise<void> {
    const { readInstructions } = await import('../../agent/instructions/instructions.ts');
    // It may have been closed while the parser was loaded.
    if (document.isClosed) return;
    const read = readInstructions(document.getText());
    const problems = read.ok ? [] : read.problems.map((problem) => diagnostic(document, problem));
    this.marked.set(document.uri, problems);
  }
}

/** The initial text of a document: how to write instructions, and nothing that has an effect. */
function templateFor(of: InstructionsOf): string {
  const about =
    of === 'workspace'
      ? vscode.l10n.t('Instructions for all chats of this workspace.')
      : vscode.l10n.t('Instructions for this chat, on all its branches. They add to those of the workspace.');
  return `# ${about}
# ${vscode.l10n.t('They are part of the system prompt from the next question on. Lines that begin with # are notes.')}

# ${vscode.l10n.t('Who the model is; replaces “a programming assistant”.')}
# role = "You are a careful reviewer of TypeScript."

# ${vscode.l10n.t('Short advice.')}
# hints = [
#   "Prefer small functions.",
#   "Show the diff before you explain it.",
# ]

# ${vscode.l10n.t('What must not be done, why, and what to do instead; one block for each.')}
# [[guardrails]]
# rule = "Do not change the public API."
# reason = "Other packages depend on it."
# action = "Propose the change in the chat."

# ${vscode.l10n.t('What you like; one block for each.')}
# [[preferences]]
# aspect = "language"
# value = "British English"
`;
}

function problemText({ what }: InstructionsProblem): string {
  switch (what.kind) {
    case 'syntax':
      return vscode.l10n.t(
        'This is not valid TOML: {0}. Put texts in double quotes, or in """ where they have several lines.',
        what.message.replace(/\.$/u, ''),
      );
    case 'too-long':
      return vscode.l10n.t('This is too long for a system prompt: shorten it to 100,000 characters.');
    case 'unknown':
      return what.isMisplaced
        ? vscode.l10n.t('“{0}” belongs to the block above it here: move it before the first [[…]].', what.key)
        : vscode.l10n.t(
            'There is no “{0}” here. Write role, hints, guardrails (rule, reason, action) or preferences (aspect, value).',
            what.key,
          );
    case 'wrong':
      return wrongText(what.path);
  }
}

function wrongText(path: string): string {
  switch (path) {
    case 'role':
      return vscode.l10n.t('Write the role as one text: {0}', 'role = "You are a careful reviewer."');
    case 'hints':
      return vscode.l10n.t('Write hints as a list of texts: {0}', 'hints = ["Be brief.", "Show diffs."]');
    case 'guardrails':
    case 'preferences':
      return vscode.l10n.t('Begin each of the {0} with a line {1}', path, `[[${path}]]`);
    case 'guardrails.rule':
      return vscode.l10n.t('Each guardrail needs a rule: {0}', 'rule = "Do not change the public API."');
    case 'preferences.aspect':
    case 'preferences.value':
      return vscode.l10n.t(
        'Each preference needs an aspect and a value: {0}',
        'aspect = "language", value = "British English"',
      );
    default:
      return vscode.l10n.t('“{0}” has to be a text in double quotes that is not empty.', path);
  }
}
