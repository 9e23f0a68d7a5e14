import * as vscode from 'vscode';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { assistant, user } from '../../src/engine/fragments/index.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot, setSetting, writableStore } from './support.ts';

const PLACE = 'files-test';

/** A new chat for each test, and a folder whose files its tools change. */
export interface FileTurns {
  readonly api: Offshoot;
  readonly files: FolderFiles;
  /** One turn whose tools leave these files (null: gone), as a run would make it. @returns the id of its answer */
  readonly turn: (changes: Readonly<Record<string, string | Uint8Array | null>>) => Promise<string>;
}

export function useFileTurns(): () => FileTurns {
  const files = new FolderFiles(PLACE);
  let api: Offshoot | undefined;
  let turns = 0;

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await api?.parts.current.startNew();
    await files.makeFolder();
  });
  afterEach(async () => {
    await setSetting('restoreFiles', undefined);
    // One that is not saved would be asked about.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.remove();
  });

  const turn = async (extension: Offshoot, changes: Parameters<FileTurns['turn']>[0]): Promise<string> => {
    const { current, files: changed } = extension.parts;
    const store = writableStore(extension);
    const chatId = await current.chatId();
    await store.upsertChat({ id: chatId, userId: 'local' });
    const engine = new ContextEngine({ store, chatId, userId: 'local' });
    try {
      const writer = changed.writerFor(engine);
      for (const [name, content] of Object.entries(changes)) {
        const before = (await files.exists(name)) ? await files.bytes(name) : null;
        const after = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        await writer.write({ folder: files.folder.uri.toString(), path: `${PLACE}/${name}` }, before, after);
      }
      turns += 1;
      const id = `answer-${turns}-${crypto.randomUUID()}`;
      await engine.set(user(`question ${turns}`), assistant(`done ${turns}`, { id })).save();
      return id;
    } finally {
      await engine.close();
    }
  };

  return () => {
    if (!api) throw new Error('There are turns only while a test or a hook runs.');
    const extension = api;
    return { api: extension, files, turn: (changes) => turn(extension, changes) };
  };
}
