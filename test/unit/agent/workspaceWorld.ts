import { mkdtemp, readFile, realpath, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type {
  FileDiagnostic,
  FileSymbol,
  TextMatch,
  TextSearch,
  WorkspaceHost,
} from '../../../src/agent/tools/files/workspaceHost.ts';

import type { WorkspaceFolder } from '../../../src/platform/workspaceFiles.ts';

/** A folder on this machine, and an editor that knows as much of it as the test says. */
export class TestWorkspace implements WorkspaceHost, AsyncDisposable {
  found: readonly string[] = [];
  matches: readonly TextMatch[] = [];
  /** Files there are to be searched that have names like secrets. */
  secrets: readonly string[] = [];
  problems: readonly FileDiagnostic[] = [];
  symbols: readonly FileSymbol[] = [];
  readonly unsaved = new Set<string>();

  private constructor(readonly root: string) {}

  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TestWorkspace> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-workspace-')));
    const workspace = new TestWorkspace(root);
    for (const [name, content] of Object.entries(files)) await workspace.put(name, content);
    return workspace;
  }

  folders(): readonly WorkspaceFolder[] {
    return [{ name: 'work', uri: `file://${this.root}`, root: this.root }];
  }
  findFiles(): Promise<readonly string[]> {
    return Promise.resolve(this.found.map((file) => this.at(file)));
  }
  readonly search: TextSearch = {
    find: (_root, _query, _limit, _signal, isWanted) =>
      Promise.resolve(this.matches.filter(({ fsPath }) => isWanted(fsPath))),
    secretFiles: () => Promise.resolve(this.secrets.map((file) => this.at(file))),
  };
  hasUnsavedChanges(fsPath: string): boolean {
    return this.unsaved.has(fsPath);
  }
  diagnostics(fsPath: string | undefined): readonly FileDiagnostic[] {
    return this.problems.filter((each) => fsPath === undefined || each.fsPath === fsPath);
  }
  symbolsIn(fsPath: string): Promise<readonly FileSymbol[]> {
    return Promise.resolve(this.symbols.filter((each) => each.fsPath === fsPath));
  }
  findSymbols(query: string): Promise<readonly FileSymbol[]> {
    return Promise.resolve(this.symbols.filter(({ name }) => name.includes(query)));
  }

  at(file: string): string {
    return path.join(this.root, file);
  }
  async put(file: string, content: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(this.at(file)), { recursive: true });
    await writeFile(this.at(file), content);
  }
  text(file: string): Promise<string> {
    return readFile(this.at(file), 'utf8');
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
