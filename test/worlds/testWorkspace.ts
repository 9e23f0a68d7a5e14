import { mkdtemp, readFile, realpath, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  EditWork,
  FileDiagnostic,
  FileSymbol,
  TextMatch,
  TextSearch,
  UnsavedText,
  WorkspaceHost,
} from '../../src/agent/tools/workspace/workspaceHost.ts';

import { FolderNames } from '../../src/host/folderNames.ts';
import { uriOf } from '../../src/host/node/fileUris.ts';
import { NodeGuardedFiles } from '../../src/host/node/nodeGuardedFiles.ts';
import { NodeWorkspaceFiles } from '../../src/host/node/nodeWorkspaceFiles.ts';
import { PathGuard } from '../../src/host/node/pathGuard.ts';
import { FileTexts } from '../../src/host/fileTexts.ts';
import {
  WorkspaceFileError,
  type FileLocation,
  type WorkspaceFolder,
} from '../../src/host/workspaceFiles.ts';
import { encodingsOf } from '../fixtures/legacyEncodings.ts';
import { writeJournalIn } from '../fixtures/realWorkspace.ts';

/** A folder on this machine, and an editor that knows as much of it as the test says. */
export class TestWorkspace implements WorkspaceHost, AsyncDisposable {
  found: readonly string[] = [];
  matches: readonly TextMatch[] = [];
  /** Files there are to be searched that have names like secrets. */
  secrets: readonly string[] = [];
  problems: readonly FileDiagnostic[] = [];
  symbols: readonly FileSymbol[] = [];
  /** What editors hold and nobody saved, by the URIs of the files. */
  readonly editors = new Map<string, UnsavedText>();
  /** Files with changes in editors that do not give them away. */
  readonly closed = new Set<string>();
  /** The encodings that files are opened in, by their URIs; of others UTF-8. */
  readonly encodings = new Map<string, string>();
  /** What editors save of a text; undefined where they cannot open it. */
  format: (text: string) => string | undefined = (text) => text;
  /** Folders below the root that are open in place of it. */
  opened: readonly string[] = [];
  private readonly names = new FolderNames();
  readonly guarded = new NodeGuardedFiles(() => this.folders());
  /** Files that a setting of the editor makes read-only. */
  readonly readOnly = new Set<string>();

  private constructor(readonly root: string) {}

  /** For changing them. */
  get files(): NodeWorkspaceFiles {
    return new NodeWorkspaceFiles(new PathGuard(() => this.folders()), writeJournalIn(this.storage));
  }
  /** Where the extension would keep its own files. */
  get storage(): string {
    return `${this.root}-storage`;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<TestWorkspace> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-workspace-')));
    const workspace = new TestWorkspace(root);
    for (const [name, content] of Object.entries(files)) await workspace.put(name, content);
    return workspace;
  }

  folders(): readonly WorkspaceFolder[] {
    if (this.opened.length === 0) return [{ name: 'work', uri: uriOf(this.root), root: this.root }];
    return this.names.of(
      this.opened.map((folder) => ({
        name: path.basename(folder),
        uri: this.uri(folder),
        root: this.at(folder),
      })),
    );
  }
  findFiles(): Promise<readonly string[]> {
    return Promise.resolve(this.found.map((file) => this.uri(file)));
  }
  readonly search: TextSearch = {
    find: (_folder, _query, _limit, _signal, isWanted) =>
      Promise.resolve({ matches: this.matches.filter((match) => isWanted(match)) }),
    secretFiles: () => Promise.resolve(this.secrets.map((file) => this.uri(file))),
  };
  loadEdits(): Promise<EditWork> {
    return import('../../src/agent/tools/workspace/replaceOnce.ts');
  }
  isReadOnly({ path: file }: FileLocation): boolean {
    return this.readOnly.has(file);
  }
  texts(): Promise<FileTexts> {
    return Promise.resolve(new FileTexts(encodingsOf((uri) => this.encodings.get(uri) ?? 'utf8')));
  }
  unsaved(uri: string): Promise<UnsavedText | undefined> {
    return this.closed.has(uri)
      ? Promise.reject(new WorkspaceFileError('unsaved', uri.slice(uri.lastIndexOf('/') + 1)))
      : Promise.resolve(this.editors.get(uri));
  }
  asSaved(_uri: string, text: string): Promise<string | undefined> {
    return Promise.resolve(this.format(text));
  }
  async saveEdit(uri: string, before: string, after: string): Promise<boolean> {
    const unsaved = this.editors.get(uri);
    if (unsaved?.text !== before) return false;
    this.editors.delete(uri);
    await writeFile(fileURLToPath(uri), await (await this.texts()).contentOf(after, unsaved.encoding));
    return true;
  }
  /** The user types in an editor. */
  type(file: string, text: string, encoding = 'utf8'): void {
    this.editors.set(this.uri(file), { text, encoding });
  }
  diagnostics(uri: string | undefined): readonly FileDiagnostic[] {
    return this.problems.filter((each) => uri === undefined || each.uri === uri);
  }
  symbolsIn(uri: string): Promise<readonly FileSymbol[]> {
    return Promise.resolve(this.symbols.filter((each) => each.uri === uri));
  }
  findSymbols(query: string): Promise<readonly FileSymbol[]> {
    return Promise.resolve(this.symbols.filter(({ name }) => name.includes(query)));
  }

  at(file: string): string {
    return path.join(this.root, file);
  }
  uri(file: string): string {
    return uriOf(this.at(file));
  }
  /** What a search finds in a file. */
  match(file: string, line: number, text: string): TextMatch {
    return { uri: this.uri(file), path: file, line, text };
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
    await rm(this.storage, { recursive: true, force: true });
  }
}
