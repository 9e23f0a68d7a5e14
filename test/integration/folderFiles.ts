import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Files below the first open folder, as VS Code reaches them: on the disk, or in a browser's storage. */
export class FolderFiles {
  /** @param place a folder below it; empty for itself */
  constructor(private readonly place = '') {}

  /**
   * In a folder for one test. For minutes VS Code holds what an extension has opened, in its encoding and with its
   * cells, though its editors are closed and its file is gone (`BoundModelReferenceCollection` in its
   * `mainThreadDocuments.ts`): another test that writes the file again would meet that.
   */
  static forOneTest(name: string): FolderFiles {
    return new FolderFiles(`${name}-${crypto.randomUUID()}`);
  }

  get folder(): vscode.WorkspaceFolder {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first, 'a folder is open');
    return first;
  }

  uri(name = ''): vscode.Uri {
    return vscode.Uri.joinPath(this.folder.uri, this.place, name);
  }

  /** As tools name it. */
  path(name: string): string {
    return this.place === '' ? name : `${this.place}/${name}`;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await vscode.workspace.fs.writeFile(this.uri(name), bytes);
  }

  async bytes(name: string): Promise<Uint8Array> {
    return Uint8Array.from(await vscode.workspace.fs.readFile(this.uri(name)));
  }

  async text(name: string): Promise<string> {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.bytes(name));
  }

  async exists(name = ''): Promise<boolean> {
    return vscode.workspace.fs.stat(this.uri(name)).then(
      () => true,
      () => false,
    );
  }

  async makeFolder(): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.uri());
  }

  /** Removes a file or a folder with all that is in it, if there is one. */
  async remove(name = ''): Promise<void> {
    if (await this.exists(name)) await vscode.workspace.fs.delete(this.uri(name), { recursive: true });
  }
}
