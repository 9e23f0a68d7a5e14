import * as vscode from 'vscode';
import type { BranchData } from '../../engine/graph.ts';
import { DisposableStore } from '../../kit/disposableStore.ts';
import { shownName } from '../ui/shownName.ts';
import { VirtualFiles } from '../ui/virtualFiles.ts';

const SCHEME = 'offshoot-summary';

/** A summary that has not been taken yet. */
export interface SummaryDraft {
  readonly source: BranchData;
  readonly target: BranchData;
  /** The label of the model that wrote it; undefined: the user. */
  readonly model: string | undefined;
  /** As it was before the user wrote into it. */
  readonly proposed: string;
}

interface Kept extends SummaryDraft {
  text: string;
  version: number;
  /** It was taken, and its editor is closing. */
  isDone: boolean;
}

/** Summaries as documents, to be read and changed before they are taken. They last as long as their editor. */
export class SummaryDrafts extends VirtualFiles {
  private readonly drafts = new Map<string, Kept>();
  private readonly subscriptions = new DisposableStore();

  constructor() {
    super();
    this.subscriptions.addAll(
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      // Its editor saves once more while it closes: the document goes after that.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.drafts.delete(uri.query)),
    );
  }

  /** Opens a draft in the editor. */
  async open(draft: SummaryDraft): Promise<vscode.TextDocument> {
    const id = crypto.randomUUID();
    this.drafts.set(id, { ...draft, text: draft.proposed, version: 1, isDone: false });
    const name = shownName(draft.source.name, 60).replaceAll(/[/\\:?#%]/gu, '_');
    const path = `/${vscode.l10n.t('Summary of {0}', name)}.md`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query: id });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** The draft of a document. */
  get(uri: vscode.Uri): (SummaryDraft & { readonly document: vscode.TextDocument }) | undefined {
    const draft = uri.scheme === SCHEME ? this.drafts.get(uri.query) : undefined;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    return draft && !draft.isDone && document ? { ...draft, document } : undefined;
  }

  /** Closes the editor of a draft; what stood in it is gone. */
  async close({ document }: { readonly document: vscode.TextDocument }): Promise<void> {
    const draft = this.drafts.get(document.uri.query);
    if (draft) draft.isDone = true;
    // A document that is saved closes without a question.
    await document.save();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString(),
    );
    await vscode.window.tabGroups.close(own, true);
  }

  override stat(uri: vscode.Uri): vscode.FileStat {
    const { text, version } = this.require(uri);
    const size = new TextEncoder().encode(text).byteLength;
    return { type: vscode.FileType.File, ctime: 0, mtime: version, size };
  }

  override readFile(uri: vscode.Uri): Uint8Array {
    return new TextEncoder().encode(this.require(uri).text);
  }

  override writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const draft = this.require(uri);
    draft.text = new TextDecoder().decode(content);
    draft.version += 1;
  }

  override dispose(): void {
    super.dispose();
    this.subscriptions.dispose();
    this.drafts.clear();
  }

  private require(uri: vscode.Uri): Kept {
    const draft = this.drafts.get(uri.query);
    if (!draft) throw vscode.FileSystemError.FileNotFound(uri);
    return draft;
  }
}
