import * as vscode from 'vscode';
import { z } from 'zod';
import { RESOURCE_SCHEME } from '../../agent/tools/foreignResource.ts';
import { ownAddress } from '../../agent/tools/resourceAddress.ts';
import { Debouncer } from '../../base/debouncer.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { isSecretName } from '../../host/protectedFiles.ts';
import { MAX_TEXT, type Attachment, type EditorPart } from '../../protocol/attachments.ts';
import type { EditorView } from '../../protocol/chatFromHost.ts';
import type { Settings } from '../manifest/settings.ts';
import { isFile, shownPathOf, workspaceFolders } from '../files/openFolders.ts';
import { registerProblemActions } from './attachProblems.ts';

/** How long cursor moves are batched, in milliseconds: pages are sent only the last position. */
const GATHER_MS = 150;

/** The scheme of notebook cells, each of which is a document. */
const CELL = 'vscode-notebook-cell';

const KEY = 'offshoot.activeEditor';

/** What the user switched in this workspace; otherwise the setting applies. */
const memory = z.object({ selection: z.boolean().optional(), file: z.boolean().optional() }).catch({});

interface Source {
  readonly document: vscode.TextDocument;
  readonly name: string;
  readonly lines: { readonly startLine: number; readonly endLine: number } | undefined;
}

/**
 * What the user works on: the text editor they used last. The selected lines are attached to a question automatically,
 * and the whole document is suggested, unless the user chose otherwise. Nothing is attached in an untrusted workspace,
 * and no file outside the open folders.
 */
export class ActiveEditor implements Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions = new DisposableStore();
  private readonly following = new Debouncer(GATHER_MS, () => this.follow());
  private last: vscode.TextEditor | undefined;
  private shown: EditorView | undefined;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly settings: Settings,
    private readonly state: vscode.Memento,
  ) {
    const soon = (): void => this.following.soon();
    this.last = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.find(isInTab);
    this.subscriptions.addAll(
      this.changed,
      this.following,
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        // A chat in a tab and a page are not text editors: the previous one still counts.
        if (editor && isInTab(editor)) this.last = editor;
        soon();
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === this.last) soon();
      }),
      vscode.window.tabGroups.onDidChangeTabs(soon),
      vscode.window.tabGroups.onDidChangeTabGroups(soon),
      vscode.workspace.onDidChangeWorkspaceFolders(soon),
      vscode.workspace.onDidGrantWorkspaceTrust(soon),
      settings.onDidChange(soon),
      registerProblemActions({ settings }),
    );
    this.shown = this.view();
  }

  /** Undefined if there is nothing to show. */
  get now(): EditorView | undefined {
    return this.shown;
  }

  /** Remembered for the workspace. */
  async toggle({ startLine }: EditorPart): Promise<void> {
    const kind = startLine === undefined ? 'file' : 'selection';
    await this.state.update(KEY, { ...this.remembered(), [kind]: !this.isOn(kind) });
    await this.follow();
  }

  /** Undefined if it must not be attached. @param isByHand the user adds it explicitly */
  attachment(part: EditorPart, { isByHand = false } = {}): Attachment | undefined {
    const { name, startLine, endLine } = part;
    if (!vscode.workspace.isTrusted || this.settings.get('activeEditor') === 'off') return undefined;
    if (isSecretName(name) && !isByHand) return undefined;
    const document = vscode.workspace.textDocuments.find((each) => nameOf(each) === name);
    if (!document) return undefined;
    const lines = startLine === undefined ? {} : { startLine, endLine: endLine ?? startLine };
    if (isFile(document.uri)) return { type: 'file', path: name, ...lines };
    // It cannot be read later.
    const text = textOf(document, lines);
    return text.trim() === '' ? undefined : { type: 'context', of: 'text', name: labelOf(part), text };
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private follow(): Promise<void> {
    const view = this.view();
    if (JSON.stringify(view) !== JSON.stringify(this.shown)) {
      this.shown = view;
      this.changed.fire();
    }
    return Promise.resolve();
  }

  private view(): EditorView | undefined {
    if (!vscode.workspace.isTrusted || this.settings.get('activeEditor') === 'off') return undefined;
    const source = this.source();
    if (!source) return undefined;
    const { name, lines } = source;
    const isSecret = isSecretName(name);
    return {
      name,
      ...lines,
      isOn: !isSecret && this.isOn(lines ? 'selection' : 'file'),
      ...(isSecret ? { isSecret } : {}),
    };
  }

  private source(): Source | undefined {
    const active = vscode.window.activeTextEditor;
    const editor = active && isInTab(active) ? active : this.last;
    if (!editor || editor.document.isClosed || !isStillMeant(editor)) return undefined;
    const name = nameOf(editor.document);
    return name === undefined
      ? undefined
      : { document: editor.document, name, lines: selectedLines(editor.selection) };
  }

  private isOn(kind: 'selection' | 'file'): boolean {
    return this.remembered()[kind] ?? (kind === 'selection' || this.settings.get('activeEditor') === 'file');
  }

  private remembered(): z.infer<typeof memory> {
    return memory.parse(this.state.get(KEY) ?? {});
  }
}

/** Output, inputs of views and the like are not documents the user works on; a cell has the column of its notebook. */
function isInTab({ viewColumn, document }: vscode.TextEditor): boolean {
  return viewColumn !== undefined || document.uri.scheme === CELL;
}

/** While a page of ours is in front, the text editor before it counts; any other editor is what the user works on. */
function isStillMeant({ document }: vscode.TextEditor): boolean {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const isOpen = all.some(({ tabs }) => tabs.some(({ input }) => showsDocument(input, document)));
  const front = activeTabGroup.activeTab?.input;
  const isOurs = front instanceof vscode.TabInputWebview && front.viewType.includes('offshoot.');
  return isOpen && (front === undefined || isOurs || showsDocument(front, document));
}

function showsDocument(input: unknown, { uri }: vscode.TextDocument): boolean {
  const wanted = uri.scheme === CELL ? notebookOf(uri)?.uri : uri;
  const shown =
    input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook
      ? input.uri
      : input instanceof vscode.TabInputTextDiff
        ? input.modified
        : undefined;
  return shown !== undefined && shown.toString() === wanted?.toString();
}

/** Undefined for what is never attached automatically. */
function nameOf({ uri, isUntitled }: vscode.TextDocument): string | undefined {
  if (isUntitled) return uri.path;
  if (uri.scheme === RESOURCE_SCHEME) return ownAddress(uri.toString());
  if (uri.scheme === CELL) {
    const notebook = notebookOf(uri);
    const path = notebook && shownPathOf(workspaceFolders(), notebook.uri);
    const index = notebook
      ?.getCells()
      .findIndex(({ document }) => document.uri.toString() === uri.toString());
    return path === undefined || index === undefined
      ? undefined
      : vscode.l10n.t('{0}, cell {1}', path, index + 1);
  }
  return shownPathOf(workspaceFolders(), uri);
}

function notebookOf(cell: vscode.Uri): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some(({ document }) => document.uri.toString() === cell.toString()),
  );
}

function labelOf({ name, startLine, endLine = startLine }: EditorPart): string {
  if (startLine === undefined) return name;
  return startLine === endLine ? `${name}:${startLine}` : `${name}:${startLine}–${endLine}`;
}

function textOf(
  document: vscode.TextDocument,
  { startLine, endLine }: Pick<EditorPart, 'startLine' | 'endLine'>,
): string {
  const text = document.getText().replaceAll('\r\n', '\n');
  const lines =
    startLine === undefined
      ? text
      : text
          .split('\n')
          .slice(startLine - 1, endLine)
          .join('\n');
  return lines.slice(0, MAX_TEXT).toWellFormed();
}

/** The lines of a selection, from 1 and both included; undefined if nothing is selected. */
export function selectedLines(
  selection: vscode.Selection,
): { readonly startLine: number; readonly endLine: number } | undefined {
  if (selection.isEmpty) return undefined;
  // A last line of which only the start is selected does not count.
  const isAtStart = selection.end.character === 0 && selection.end.line > selection.start.line;
  return { startLine: selection.start.line + 1, endLine: selection.end.line + (isAtStart ? 0 : 1) };
}
