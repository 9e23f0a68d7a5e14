import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { VirtualFiles } from './virtualFiles.ts';

export interface ProposedText {
  readonly proposed: string;
}

interface Kept<T> {
  readonly draft: T;
  text: string;
  version: number;
  /** It was accepted, and its editor is closing. */
  isDone: boolean;
}

/** Texts as Markdown documents, to be read and edited before they are accepted. They exist as long as their editor. */
export class DraftDocuments<T extends ProposedText> extends VirtualFiles {
  private readonly drafts = new Map<string, Kept<T>>();
  private readonly subscriptions = new DisposableStore();

  /** @param scheme of their addresses; unique within the extension */
  constructor(private readonly scheme: string) {
    super();
    this.subscriptions.addAll(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }),
      // Its editor saves once more while closing: the document is removed after that.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.drafts.delete(uri.query)),
    );
  }

  /** @param title of its tab */
  async open(draft: T, title: string): Promise<vscode.TextDocument> {
    const id = crypto.randomUUID();
    this.drafts.set(id, { draft, text: draft.proposed, version: 1, isDone: false });
    const path = `/${title.replaceAll(/[/\\:?#%]/gu, '_')}.md`;
    const uri = vscode.Uri.from({ scheme: this.scheme, path, query: id });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  get(uri: vscode.Uri): (T & { readonly document: vscode.TextDocument }) | undefined {
    const kept = uri.scheme === this.scheme ? this.drafts.get(uri.query) : undefined;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    return kept && !kept.isDone && document ? { ...kept.draft, document } : undefined;
  }

  /** Closes the editor of a draft, discarding its text. */
  async close({ document }: { readonly document: vscode.TextDocument }): Promise<void> {
    const kept = this.drafts.get(document.uri.query);
    if (kept) kept.isDone = true;
    // A saved document closes without a question.
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
    const kept = this.require(uri);
    kept.text = new TextDecoder().decode(content);
    kept.version += 1;
  }

  override dispose(): void {
    super.dispose();
    this.subscriptions.dispose();
    this.drafts.clear();
  }

  private require(uri: vscode.Uri): Kept<T> {
    const kept = this.drafts.get(uri.query);
    if (!kept) throw vscode.FileSystemError.FileNotFound(uri);
    return kept;
  }
}
