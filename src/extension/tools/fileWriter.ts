import * as vscode from 'vscode';
import type { FileWriter } from '../../agent/tools/fileWriter.ts';
import type { ContextEngine } from '../../engine/contextEngine.ts';
import type { BlobStore } from '../../engine/store.ts';
import { NodeWorkspaceFiles } from '../../platform/node/nodeWorkspaceFiles.ts';
import { Gate } from '../../workspace/gate.ts';
import { RecordingWriter } from '../../workspace/recordingWriter.ts';
import { VersionKeeper } from '../../workspace/versionKeeper.ts';

/** In bytes: a larger file is known by its hash only. */
const MAX_FILE_SIZE = 10_000_000;
/** In bytes: what all kept versions may take. */
const BUDGET = 1_000_000_000;

/** How tools write files: inside the open folders only, and recorded with the conversation they write for. */
export function createFileWriter(
  blobs: BlobStore,
  log: vscode.LogOutputChannel,
): (engine: ContextEngine) => FileWriter {
  const files = new NodeWorkspaceFiles(() =>
    (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => ({ uri: uri.toString(), fsPath: uri.fsPath })),
  );
  const keeper = new VersionKeeper({
    blobs,
    limits: () => ({ maxFileSize: MAX_FILE_SIZE, budget: BUDGET }),
    onNotKept: (_path, reason) => log.warn(`A version of a file was not kept (${reason})`),
  });
  const gate = new Gate();
  return (engine) => new RecordingWriter({ files, keeper, gate }, engine.files);
}
