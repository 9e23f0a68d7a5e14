import * as vscode from 'vscode';

/** Documents that are on no disk: each is a separate file, in no folder, and never changes its type. */
export abstract class VirtualFiles implements vscode.FileSystemProvider {
  protected readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();

  readonly onDidChangeFile = this.changed.event;

  abstract stat(uri: vscode.Uri): vscode.FileStat | Thenable<vscode.FileStat>;
  abstract readFile(uri: vscode.Uri): Uint8Array | Thenable<Uint8Array>;

  /** @throws FileSystemError if documents are read-only */
  writeFile(uri: vscode.Uri, _content: Uint8Array): void | Thenable<void> {
    this.refuse(uri);
  }

  watch(_uri: vscode.Uri): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    return this.refuse(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    return this.refuse(uri);
  }

  delete(uri: vscode.Uri): never {
    return this.refuse(uri);
  }

  rename(uri: vscode.Uri): never {
    return this.refuse(uri);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private refuse(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
