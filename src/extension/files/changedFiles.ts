import * as vscode from 'vscode';
import type { EngineFiles } from '../../engine/engineFiles.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { Host } from '../../host/hostMachine.ts';
import type { OpenedFolder, WorkspaceFiles } from '../../host/workspaceFiles.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { FileHistory } from '../../files/fileHistory.ts';
import { RecordingWriter, VersionKeeper, type NotKeptReason } from '../../files/recordingWriter.ts';
import { RestoreJournal } from '../../files/restoreJournal.ts';
import { Restorer, type RestorerOptions } from '../../files/restorer.ts';
import type { Settings } from '../manifest/settings.ts';
import { workspaceFolders } from './openFolders.ts';
import { isReadOnlyInEditor } from './globs.ts';
import { openEditors } from './openEditors.ts';
import { notify } from '../ui/notifications.ts';
import { FileMoves } from './fileMoves.ts';

const MEGABYTE = 1_000_000;

export interface ChangedFiles {
  readonly restorer: Restorer;
  /** As far as there is space. */
  readonly keeper: VersionKeeper;
  readonly workspace: WorkspaceFiles;
  /** A writer for a run; its changes are stored with the next message that the engine saves. */
  writerFor(engine: { readonly chatId: string; readonly files: EngineFiles }): RecordingWriter;
}

export function createChangedFiles(
  host: Host,
  store: ReadonlyStore,
  storage: vscode.Uri,
  settings: Settings,
  { by, follows, logRestored, onBranchFiles }: RestoreHooks,
  foldersOfBranches: () => readonly OpenedFolder[],
): ChangedFiles {
  const files = host.workspaceFiles(() => [...workspaceFolders(), ...foldersOfBranches()]);
  const sequencer = new Sequencer();
  const maxFileSize = (): number => settings.get('files.maxFileSize') * MEGABYTE;
  const notified = new Set<NotKeptReason>();
  const keeper = new VersionKeeper({
    blobs: store.blobs,
    limits: () => ({ maxFileSize: maxFileSize(), budget: settings.get('files.budget') * MEGABYTE }),
    onNotKept: (path, reason) => {
      // Once for each reason: a run may write a hundred such files.
      if (notified.has(reason)) return;
      notified.add(reason);
      void notify.warning(notKeptText(path, reason));
    },
  });
  const folder = host.pathOf(storage.toString());
  const journal = new RestoreJournal(host.files, folder, host.owner);
  return {
    restorer: new Restorer({
      store,
      by,
      ...(follows ? { follows } : {}),
      logRestored,
      ...(onBranchFiles ? { onBranchFiles } : {}),
      files,
      editors: openEditors,
      journal,
      sequencer,
      maxFileSize,
      isReadOnly: isReadOnlyInEditor,
    }),
    keeper,
    workspace: files,
    writerFor: ({ chatId, files: recorded }) => {
      const storedChanges = async () =>
        (await FileHistory.read(store, chatId)).stands.map(({ location }) => location);
      return new RecordingWriter({ files, keeper, sequencer, storedChanges }, recorded);
    },
  };
}

function notKeptText(path: string, reason: NotKeptReason): string {
  switch (reason) {
    case 'file-too-large':
      return vscode.l10n.t(
        '{0} is larger than the setting “offshoot.files.maxFileSize” allows. Rewinding can’t restore it.',
        path,
      );
    case 'budget-used-up':
      return vscode.l10n.t(
        'Rewinding can’t restore {0}: no room is left for file versions. Delete chats you don’t need, or raise the setting “offshoot.files.budget”.',
        path,
      );
  }
}

type RestoreHooks = Pick<RestorerOptions, 'by' | 'follows' | 'logRestored' | 'onBranchFiles'>;

interface FileRestoreOptions extends RestoreHooks {
  readonly foldersOfBranches: () => readonly OpenedFolder[];
  /** The extension's own storage folder. */
  readonly folder: vscode.Uri;
  readonly host: Host;
  readonly settings: Settings;
  readonly store: ReadonlyStore;
}

interface FileRestore {
  readonly files: ChangedFiles;
  readonly moves: FileMoves;
}

export function createFileRestore({
  folder,
  foldersOfBranches,
  host,
  settings,
  store,
  ...logging
}: FileRestoreOptions): FileRestore {
  const files = createChangedFiles(host, store, folder, settings, logging, foldersOfBranches);
  return { files, moves: new FileMoves(files.restorer, settings) };
}
