import * as vscode from 'vscode';
import type { Imports } from '../../conversation/imports.ts';
import { ImportError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import { exportEntries, pictureFinder } from '../../importExport/exportArchive.ts';
import { MAX_WHOLE_FILE, type BatchList, type SourceFile } from '../../importExport/importBatch.ts';
import type { ForeignArchive } from '../../host/foreignFiles.ts';
import { sizeText } from '../ui/formats.ts';
import type { ForeignPlaces } from './foreignSessions.ts';

export class ChosenFiles implements vscode.Disposable {
  private readonly archives: ForeignArchive[] = [];

  constructor(
    private readonly places: Pick<ForeignPlaces, 'files' | 'openDatabase'>,
    private readonly imports: Pick<Imports, 'addFile'>,
  ) {}

  /** An unreadable file is added to the unread ones of the list. */
  async add(list: BatchList, file: vscode.Uri, now: number): Promise<void> {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    const { addFile } = this.imports;
    await list.add(name, async () => {
      if (!/\.zip$/iu.test(name)) {
        await addFile(list, await this.open(file), now, undefined, this.places.openDatabase);
        return undefined;
      }
      const archive = await this.archive(file);
      this.archives.push(archive);
      const find = pictureFinder(archive.entries);
      for (const entry of exportEntries(archive.entries)) await addFile(list, entry, now, find);
      return undefined;
    });
  }

  dispose(): void {
    for (const archive of this.archives) archive.close();
  }

  /** @throws ImportError for one on another machine, which cannot be read in pieces */
  private async archive(file: vscode.Uri): Promise<ForeignArchive> {
    await statOfFile(file);
    const { files } = this.places;
    if (files && file.scheme === 'file') return (await files()).archive(file.toString());
    throw new ImportError(
      files
        ? defineMessage('a ZIP file has to be on this machine. Copy it here, or unpack it')
        : defineMessage('ZIP files can’t be read in a browser. Unpack it, and select the JSON file in it'),
    );
  }

  private async open(file: vscode.Uri): Promise<SourceFile> {
    const { size, mtime } = await statOfFile(file);
    if (this.places.files && file.scheme === 'file') {
      return (await this.places.files()).chosen(file.toString());
    }
    if (size > MAX_WHOLE_FILE) {
      throw new ImportError(defineMessage('{0} is larger than {1}', file.fsPath, sizeText(MAX_WHOLE_FILE)));
    }
    return {
      name: file.path.slice(file.path.lastIndexOf('/') + 1),
      size,
      changedAt: mtime,
      chunks: async function* () {
        yield await vscode.workspace.fs.readFile(file);
      },
    };
  }
}

/** @throws ImportError for anything but a file: reading a pipe or a device may never end */
async function statOfFile(file: vscode.Uri): Promise<vscode.FileStat> {
  const found = await vscode.workspace.fs.stat(file);
  if ((found.type & vscode.FileType.File) === 0) {
    throw new ImportError(defineMessage('{0} is not a file. Select a file.', file.fsPath));
  }
  return found;
}
