import * as vscode from 'vscode';
import { VirtualFiles } from '../ui/virtualFiles.ts';

export const INSTRUCTIONS_SCHEME = 'offshoot-instructions';

/** VS Code looks for these files as soon as the extension is active; the code for them may be loaded later. */
export function registerInstructionsFiles(whole: () => Promise<VirtualFiles>): vscode.Disposable {
  const files = new FilesToCome(whole);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(INSTRUCTIONS_SCHEME, files, { isCaseSensitive: true }),
  );
}

class FilesToCome extends VirtualFiles {
  private files: Promise<VirtualFiles> | undefined;

  constructor(private readonly whole: () => Promise<VirtualFiles>) {
    super();
  }

  override watch(uri: vscode.Uri): vscode.Disposable {
    const watching = this.there().then((files) => files.watch(uri));
    // The caller that creates it reports the failure.
    watching.catch(() => undefined);
    return new vscode.Disposable(
      () => void watching.then((watch) => void watch.dispose()).catch(() => undefined),
    );
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return (await this.there()).stat(uri);
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.there()).readFile(uri);
  }

  override async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    await (await this.there()).writeFile(uri, content);
  }

  private there(): Promise<VirtualFiles> {
    return (this.files ??= this.whole().then((files) => {
      files.onDidChangeFile((changes) => this.changed.fire(changes));
      return files;
    }));
  }
}
