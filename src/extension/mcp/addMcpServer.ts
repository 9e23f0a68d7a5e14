import * as vscode from 'vscode';
import { sha256 } from '../../engine/bytes.ts';
import type { FileLocation } from '../../host/workspaceFiles.ts';
import { notify } from '../ui/notifications.ts';
import { openComparison, asText } from '../ui/tabs.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { workspaceFolders } from '../files/openFolders.ts';
import { LAUNCHER_KEY, type McpContext } from './mcpAccess.ts';
import {
  configFiles,
  serverConfig,
  withServer,
  launcherText,
  type ConfigFile,
  type ServerEntry,
  type LauncherPlace,
} from './mcpConfig.ts';
import type { ShownTexts } from './askUser.ts';

type Target = PickRow & { readonly file?: ConfigFile };

/** Marks the files that a write leaves behind if the program ends during it. */
const TAG = 'mcp';

/** Writes once the user has seen the change. */
export async function addMcpServer(deps: McpContext, texts: ShownTexts): Promise<void> {
  const target = await pickOne(targets(), {
    title: vscode.l10n.t('Add MCP Server'),
    placeHolder: vscode.l10n.t('Select where agents look for it'),
  });
  if (!target) return;
  const entry = entryFor(deps);
  if (!target.file) {
    const { jsonc } = await import('../pages/themeFile.ts');
    await prepareLauncher(deps);
    await vscode.env.clipboard.writeText(serverConfig(jsonc, entry));
    void notify.information(vscode.l10n.t('Copied. Add it to the MCP configuration of your agent.'));
    return;
  }
  const folder = await pickFolder();
  if (folder === undefined) return;
  await addTo(deps, texts, { folder, path: target.file.path }, target.file, entry);
}

function targets(): Target[] {
  const row = (file: ConfigFile, description: string): Target => ({ label: file.path, description, file });
  return [
    row(configFiles.shared, vscode.l10n.t('Claude Code and others')),
    row(configFiles.vscode, vscode.l10n.t('Copilot in other windows and programs')),
    row(configFiles.cursor, 'Cursor'),
    { label: vscode.l10n.t('Copy Configuration'), description: vscode.l10n.t('for every other agent') },
  ];
}

async function pickFolder(): Promise<string | undefined> {
  const folders = workspaceFolders();
  if (folders.length === 0) {
    void notify.error(vscode.l10n.t('No folder is open. Open one and try again.'));
    return undefined;
  }
  if (folders.length === 1) return folders[0]?.uri;
  const rows = folders.map(({ name, uri }) => ({ label: name, uri }));
  const picked = await pickOne(rows, { placeHolder: vscode.l10n.t('Select a folder') });
  return picked?.uri;
}

/** The launcher survives updates, and the conversations stay where they are. */
function entryFor({ folder, globalStorage, host, shared }: McpContext): ServerEntry {
  const launcher = host.pathOf(launcherUri(globalStorage).toString());
  // The password of a shared store is in no file: the program that starts the server must pass it as PGPASSWORD.
  const args = [launcher, '--storage', host.pathOf(folder.toString()), ...(shared?.args ?? [])];
  return { type: 'stdio', command: 'node', args };
}

async function prepareLauncher({ extension, globalState, globalStorage, host }: McpContext): Promise<void> {
  await writeLauncher(globalStorage, extension.extensionUri, host.pathOf);
  await globalState.update(LAUNCHER_KEY, extension.extensionUri.toString());
}

async function addTo(
  deps: McpContext,
  texts: ShownTexts,
  location: FileLocation,
  file: ConfigFile,
  entry: ServerEntry,
): Promise<void> {
  const files = deps.host.workspaceFiles(workspaceFolders);
  await files.checkWrite(location);
  const there = await files.read(location);
  const before = there && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(there.bytes);
  const { jsonc } = await import('../pages/themeFile.ts');
  const after = withServer(jsonc, before, file, entry);
  const uri = vscode.Uri.joinPath(vscode.Uri.parse(location.folder), ...file.path.split('/'));
  if (after === before) {
    await prepareLauncher(deps);
    void notify.information(vscode.l10n.t('{0} has Offshoot’s MCP server already.', file.path));
    return;
  }
  const title = vscode.l10n.t('{0} (with Offshoot)', file.path);
  await openComparison(texts.uriOf(before ?? ''), texts.uriOf(after), title, asText);
  const add = vscode.l10n.t('Add');
  const question = vscode.l10n.t(
    'Add Offshoot’s MCP server to {0}? Agents that read the file can then read this workspace’s conversations. It names folders of this computer, so don’t commit it.',
    file.path,
  );
  if ((await notify.information(question, add, vscode.l10n.t('Don’t Add'))) !== add) return;
  await prepareLauncher(deps);
  // Replaces only what was shown: a file that has changed since is not touched.
  const hash = there ? await sha256(there.bytes) : null;
  await files.write(location, { bytes: new TextEncoder().encode(after), mode: there?.mode }, TAG, { hash });
  await vscode.commands.executeCommand('vscode.open', uri);
}

/** What other programs start: its path is the same for every installed version. */
const NAME = 'offshoot-mcp.mjs';

function launcherUri(globalStorage: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(globalStorage, NAME);
}

/** Does nothing if it is up to date. */
export async function writeLauncher(
  globalStorage: vscode.Uri,
  extension: vscode.Uri,
  pathOf: (uri: string) => string,
): Promise<void> {
  const uri = launcherUri(globalStorage);
  const wanted = launcherText(placeOf(extension, pathOf));
  const there = await vscode.workspace.fs.readFile(uri).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => undefined,
  );
  if (there === wanted) return;
  await vscode.workspace.fs.createDirectory(globalStorage);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(wanted));
}

function placeOf(extension: vscode.Uri, pathOf: (uri: string) => string): LauncherPlace {
  const prefix = 'offshoot.offshoot-';
  return {
    folder: pathOf(vscode.Uri.joinPath(extension, '..').toString()),
    prefix,
    program: pathOf(vscode.Uri.joinPath(extension, 'dist', 'mcp.mjs').toString()),
    isFirst: !(extension.path.split('/').at(-1) ?? '').startsWith(prefix),
  };
}
