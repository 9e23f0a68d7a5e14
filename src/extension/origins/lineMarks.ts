import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isSameStep } from '../../lineOrigins/lineOrigin.ts';
import type { Settings } from '../manifest/settings.ts';
import { commandLink } from '../manifest/runCommand.ts';
import { logFailure } from '../ui/failures.ts';
import { fileSelector } from '../files/openFolders.ts';
import type { StepPlace } from '../../lineOrigins/stepDetails.ts';
import type { DocumentOrigins, WrittenLine } from './documentOrigins.ts';
import { originHover, questionText, stepText } from './originHover.ts';

/** How long an editor is quiet before its lines are marked again, in milliseconds: nothing is done while one types. */
const QUIET_MS = 300;

/** How much of a question a lens shows, in characters. */
const LENS_LENGTH = 80;

interface Taken {
  readonly log: vscode.LogOutputChannel;
  readonly origins: () => Promise<DocumentOrigins>;
  readonly settings: Settings;
}

/** The marks of lines in the gutters of open editors, and what is told of them. */
export class LineMarks implements Disposable {
  private readonly subscriptions = new DisposableStore();
  private readonly marking: Debouncer;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  private readonly kept = markOf('');
  private readonly changed = markOf('stroke-dasharray="2 2"');
  /** What the last hover told, whose lines keep their marks. */
  private told: { readonly document: vscode.TextDocument; readonly edit: StepPlace } | undefined;

  /** How many were asked for. */
  private hovers = 0;

  constructor(private readonly deps: Taken) {
    const { settings } = deps;
    this.marking = new Debouncer(QUIET_MS, () => this.markAll());
    this.subscriptions.addAll(
      this.marking,
      this.lensesChanged,
      this.kept,
      this.changed,
      vscode.window.onDidChangeVisibleTextEditors(() => this.update()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (vscode.window.visibleTextEditors.some((editor) => editor.document === document)) this.update();
      }),
      settings.onDidChange(() => {
        this.update();
        this.lensesChanged.fire();
      }),
      vscode.languages.registerHoverProvider(fileSelector(), {
        provideHover: (document, { line }) =>
          settings.get('lineMarks') === 'off' ? undefined : this.hover(document, line),
      }),
      vscode.languages.registerCodeLensProvider(fileSelector(), {
        onDidChangeCodeLenses: this.lensesChanged.event,
        provideCodeLenses: (document) =>
          settings.get('lineMarks') === 'codeLens' ? this.lenses(document) : [],
      }),
    );
    this.update();
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Marks what is shown, soon. */
  private update(): void {
    this.marking.soon();
  }

  private async hover(document: vscode.TextDocument, line: number): Promise<vscode.Hover | undefined> {
    const turn = (this.hovers += 1);
    const origins = await this.origins();
    const isAtLine = (each: WrittenLine): boolean => each.line === line;
    const recorded = await origins.recordedLines(document);
    // What is recorded need not wait for what was imported.
    const lines = recorded.some(isAtLine) ? recorded : await origins.importedLines(document);
    const written = lines.find(isAtLine);
    const details = written && (await origins.details(written.edit));
    // One over another line may have taken longer.
    const isLast = turn === this.hovers;
    if (isLast) this.told = details && { document, edit: written.edit };
    if (isLast && this.deps.settings.get('lineMarks') === 'hover')
      for (const editor of vscode.window.visibleTextEditors)
        this.mark(editor, this.toldIn(editor.document, lines));
    if (!details) return undefined;
    return new vscode.Hover(originHover(document.uri, written, details), document.lineAt(line).range);
  }

  /** One over the first of the lines that a step wrote behind each other. */
  private async lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const origins = await this.origins();
    const lines = await writtenLines(origins, document);
    const first = lines.filter(({ line, edit }, index) => {
      const above = lines[index - 1];
      return !above || above.line !== line - 1 || !isSameStep(above.edit, edit);
    });
    const lenses = await Promise.all(
      first.map(async (written) => {
        const { line, edit } = written;
        const details = await origins.details(edit);
        if (!details) return undefined;
        const title = `“${questionText(details, LENS_LENGTH)}” · ${stepText(details, written)}`;
        const argument = { uri: document.uri.toString(), line };
        return new vscode.CodeLens(
          document.lineAt(line).range,
          commandLink('offshoot.whyThisLine', title, argument),
        );
      }),
    );
    return lenses.filter((lens) => lens !== undefined);
  }

  /** What is recorded later is marked as well. */
  private origins(): Promise<DocumentOrigins> {
    return (this.followed ??= this.follow());
  }

  private followed: Promise<DocumentOrigins> | undefined;

  private async follow(): Promise<DocumentOrigins> {
    const origins = await this.deps.origins();
    this.subscriptions.add(
      origins.onDidChange(() => {
        this.update();
        this.lensesChanged.fire();
      }),
    );
    return origins;
  }

  private async markAll(): Promise<void> {
    try {
      const mode = this.deps.settings.get('lineMarks');
      for (const editor of vscode.window.visibleTextEditors) {
        const { document } = editor;
        const isMarked = mode === 'always' || (mode === 'hover' && this.told?.document === document);
        const lines = isMarked ? await writtenLines(await this.origins(), document) : [];
        this.mark(editor, mode === 'always' ? lines : this.toldIn(document, lines));
      }
    } catch (error) {
      logFailure(this.deps.log, 'Lines of runs', error);
    }
  }

  /** Of these lines, those of the step that is told. */
  private toldIn(document: vscode.TextDocument, lines: readonly WrittenLine[]): readonly WrittenLine[] {
    const { told } = this;
    return told?.document === document ? lines.filter(({ edit }) => isSameStep(edit, told.edit)) : [];
  }

  private mark(editor: vscode.TextEditor, lines: readonly WrittenLine[]): void {
    const rangesOf = (isChanged: boolean): vscode.Range[] =>
      lines
        .filter(({ isChangedSince }) => isChangedSince === isChanged)
        .map(({ line }) => new vscode.Range(line, 0, line, 0));
    editor.setDecorations(this.kept, rangesOf(false));
    editor.setDecorations(this.changed, rangesOf(true));
  }
}

/** All of them, from the top. */
async function writtenLines(
  origins: DocumentOrigins,
  document: vscode.TextDocument,
): Promise<readonly WrittenLine[]> {
  const lines = [...(await origins.recordedLines(document)), ...(await origins.importedLines(document))];
  return lines.sort((one, other) => one.line - other.line);
}

/** A bar in the gutter. @param dash of its stroke */
function markOf(dash: string): vscode.TextEditorDecorationType {
  const icon = (color: string): vscode.Uri => {
    const line = `<line x1="13" y1="0" x2="13" y2="16" stroke="${color}" stroke-width="2" ${dash}/>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" preserveAspectRatio="none">${line}</svg>`;
    return vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`);
  };
  return vscode.window.createTextEditorDecorationType({
    gutterIconSize: '100% 100%',
    dark: { gutterIconPath: icon('#8b949e') },
    light: { gutterIconPath: icon('#6e7781') },
  });
}
