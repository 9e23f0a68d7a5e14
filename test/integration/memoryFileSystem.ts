import * as vscode from 'vscode';

/** Files in memory, as an extension provides them. */
export class MemoryFileSystem implements vscode.FileSystemProvider {
  private readonly entries = new Map<string, Uint8Array | 'folder'>([
    ['/', 'folder'],
    ['/work', 'folder'],
  ]);
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  stat(uri: vscode.Uri): vscode.FileStat {
    const entry = this.entry(uri);
    const [type, size] =
      entry === 'folder' ? [vscode.FileType.Directory, 0] : [vscode.FileType.File, entry.byteLength];
    return { type, size, ctime: 0, mtime: 0 };
  }
  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    this.entry(uri);
    const prefix = `${uri.path.replace(/\/$/u, '')}/`;
    return Array.from(this.entries).flatMap(([path, entry]): [string, vscode.FileType][] => {
      const name = path.slice(prefix.length);
      if (!path.startsWith(prefix) || name === '' || name.includes('/')) return [];
      return [[name, entry === 'folder' ? vscode.FileType.Directory : vscode.FileType.File]];
    });
  }
  createDirectory(uri: vscode.Uri): void {
    this.entries.set(uri.path, 'folder');
  }
  readFile(uri: vscode.Uri): Uint8Array {
    const entry = this.entry(uri);
    if (entry === 'folder') throw vscode.FileSystemError.FileIsADirectory(uri);
    return entry;
  }
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.entries.set(uri.path, content);
  }
  delete(uri: vscode.Uri): void {
    this.entry(uri);
    this.entries.delete(uri.path);
  }
  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.entries.set(to.path, this.entry(from));
    this.entries.delete(from.path);
  }

  private entry(uri: vscode.Uri): Uint8Array | 'folder' {
    const entry = this.entries.get(uri.path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}
