import * as vscode from 'vscode';
import { z } from 'zod';
import { tryParseJson } from '../../base/tryParseJson.ts';
import type { Host } from '../../host/hostMachine.ts';
import { ProjectIndex } from '../../store/projects/projectIndex.ts';
import type { ProjectRecord } from '../../store/projects/projectRecord.ts';
import { Projects, type OpenedWorkspace } from '../../store/projects/projects.ts';
import { logFailure } from '../ui/failures.ts';
import { foldersOfFile } from './workspaceFile.ts';
import { storageOf, workspacePlaces, workspaceStorage, type WorkspaceStorage } from './storageFolder.ts';

/** Where the conversations of this window are. */
export interface OpenedProject extends WorkspaceStorage {
  /** The folder that VS Code gave the workspace; undefined while none is open. */
  readonly given: vscode.Uri | undefined;
  readonly projects: Projects;
  /** The workspace whose conversations are used here for the first time; undefined otherwise. */
  readonly from: ProjectRecord | undefined;
}

/** Never fails: conversations that can't be looked for are no reason not to open those that are here. */
export async function openProject(
  context: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>,
  host: Pick<Host, 'folderFacts' | 'isBrowser' | 'pathOf' | 'platformFor' | 'repositoryFacts'>,
  log: vscode.LogOutputChannel,
): Promise<OpenedProject> {
  const { storageUri, globalStorageUri } = context;
  const own = storageOf(context);
  const { files } = host.platformFor(globalStorageUri.toString());
  const onError = (error: unknown): void => logFailure(log, 'Conversations of this project', error);
  const projects = new Projects({
    host,
    index: new ProjectIndex(
      host.platformFor(globalStorageUri.toString()),
      host.pathOf(vscode.Uri.joinPath(globalStorageUri, 'projects').toString()),
    ),
    place: own.folder.toString(),
    workspace: await openedWorkspace(),
    // A folder that is not trusted says in its settings what git starts.
    mayRunGit: () => vscode.workspace.isTrusted,
    places: host.isBrowser ? undefined : () => workspacePlaces(globalStorageUri, files, host.pathOf),
    describe: (place) => describe(host, vscode.Uri.parse(place, true)),
    onError,
    now: Date.now,
  });
  const opened = { given: storageUri && own.folder, projects };
  if (!storageUri) return { ...opened, ...own, from: undefined };
  try {
    const { store, from } = await projects.choose();
    const storage = store === own.folder.toString() ? own : workspaceStorage(vscode.Uri.parse(store, true));
    return { ...opened, ...storage, from };
  } catch (error) {
    onError(error);
    return { ...opened, ...own, from: undefined };
  }
}

const UNTITLED = 'untitled';

async function openedWorkspace(): Promise<OpenedWorkspace> {
  const { name = '', workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const file = workspaceFile?.scheme === UNTITLED ? undefined : workspaceFile;
  const folders = workspaceFolders.map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));
  if (!file) return { name, folders };
  // A browser's window may come up with no folder, and not say later which there are.
  return { name, file: file.toString(), folders: folders.length > 0 ? folders : await foldersOfFile(file) };
}

/** What VS Code writes next to the storage of extensions: the first on a desktop, the second on a server. */
const ofWorkbench = z.object({ folder: z.string().optional(), workspace: z.string().optional() });
const ofExtensionHost = z.object({ name: z.string().nullish(), configuration: z.string().nullish() });

async function describe(
  host: Pick<Host, 'pathOf' | 'platformFor'>,
  place: vscode.Uri,
): Promise<OpenedWorkspace | undefined> {
  const { files } = host.platformFor(place.toString());
  const read = async <T>(name: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const bytes = await files.read(host.pathOf(vscode.Uri.joinPath(place, '..', name).toString()));
    // It is VS Code's, and may be anything.
    return bytes && schema.safeParse(tryParseJson(new TextDecoder().decode(bytes))).data;
  };
  const known = await read('workspace.json', ofWorkbench);
  const { folder, workspace: file } = known ?? {};
  const { name, configuration } = (await read('meta.json', ofExtensionHost)) ?? {};
  const nameOf = (uri: string): string =>
    decodeURIComponent(uri.replace(/\/+$/u, '').split('/').at(-1) ?? '');
  if (folder !== undefined) {
    const shown = nameOf(folder);
    return { name: shown, folders: [{ uri: folder, name: shown }] };
  }
  const found = file ?? configuration ?? undefined;
  const shown = name ?? (found === undefined ? undefined : nameOf(found));
  if (shown === undefined) return undefined;
  if (found === undefined) return { name: shown, folders: [] };
  return { name: shown, file: found, folders: await foldersOfFile(vscode.Uri.parse(found)) };
}
