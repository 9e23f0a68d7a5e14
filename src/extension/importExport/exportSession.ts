import * as vscode from 'vscode';
import { OffshootError } from '../../engine/errors.ts';
import type { PortableChat } from '../../engine/portableChat.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ForeignFiles } from '../../host/foreignFiles.ts';
import type { SessionExport, WrittenSession } from '../../importExport/exports/sessionExport.ts';
import { sessionExports } from '../../importExport/exports/sessionExports.ts';
import { sessionTurns } from '../../importExport/exports/sessionTurns.ts';
import { programs } from '../../importExport/importPrograms.ts';
import { choose, notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';
import { saveFile } from '../ui/saveFile.ts';
import { commandLine } from './commandLine.ts';
import { localFolders, type ForeignPlaces } from './foreignSessions.ts';

/** What a branch can be exported as. */
interface AgentChoice {
  /** Omitted: Markdown, which every agent reads. */
  readonly session?: { readonly writer: SessionExport; readonly files: ForeignFiles };
}

/** Undefined when none was picked. Other programs have their sessions on this machine, each for a folder. */
export async function pickAgent(places: ForeignPlaces): Promise<AgentChoice | undefined> {
  const files = localFolders().length > 0 ? await places.files?.() : undefined;
  const sessions = files ? sessionExports.map((writer) => ({ writer, files })) : [];
  const rows: (PickRow & AgentChoice)[] = sessions.map((session) => ({
    label: programs[session.writer.program].name,
    description: vscode.l10n.t('as a session that it resumes'),
    session,
  }));
  return pickOne([...rows, { label: 'Markdown', description: vscode.l10n.t('for every other agent') }], {
    title: vscode.l10n.t('Export Branch'),
    placeHolder: vscode.l10n.t('Select where to continue'),
  });
}

interface Exported {
  readonly store: ReadonlyStore;
  readonly chat: PortableChat;
  readonly branch: string;
}

/** Writes a branch as a session of another program, where the user wants it, and tells how it is continued there. */
export async function exportSession(
  { store, chat, branch }: Exported,
  { writer, files }: NonNullable<AgentChoice['session']>,
): Promise<void> {
  const { title, turns } = await sessionTurns(chat, branch, store.blobs);
  if (turns.length === 0) {
    void notify.information(vscode.l10n.t('There is nothing to export yet.'));
    return;
  }
  const folder = await pickFolder(files);
  if (folder === undefined) return;
  const now = Date.now();
  const session = await writer.write({ title, turns, folder, now, newId: () => crypto.randomUUID() });
  const file = await place(writer, session, files);
  if (file === undefined) return;
  const line = commandLine(session.commands(file), isWindowsPath(folder));
  const copy = vscode.l10n.t('Copy Command');
  const { name } = programs[writer.program];
  const text = vscode.l10n.t('Exported for {0}. To continue it there, run in {1}: {2}', name, folder, line);
  // It stays until the user has answered, and the export is done.
  void notify.information(text, copy).then(async (answer) => {
    if (answer === copy) await vscode.env.clipboard.writeText(line);
  });
}

/** Its path as the other program sees it: links resolved. */
async function pickFolder(files: ForeignFiles): Promise<string | undefined> {
  const rows = localFolders().map(({ name, uri }) => ({ label: name, uri }));
  const [only] = rows;
  const placeHolder = vscode.l10n.t('Select the folder to continue in');
  const picked = rows.length === 1 ? only : await pickOne(rows, { placeHolder });
  return picked && (await files.namesOf(picked.uri)).at(-1);
}

/** @returns the path of the file; undefined when the user wants none */
async function place(
  { program, home }: SessionExport,
  session: WrittenSession,
  files: ForeignFiles,
): Promise<string | undefined> {
  const { name } = programs[program];
  const folder = home?.(files);
  if (folder === undefined) return saveElsewhere(session, files);
  const add = vscode.l10n.t('Add Session');
  const save = vscode.l10n.t('Save As…');
  const answer = await choose(
    vscode.l10n.t('Add this branch to the sessions of {0}?', name),
    [
      [vscode.l10n.t('One file is added in {0}; nothing else there is changed.', folder)],
      [
        vscode.l10n.t(
          'It holds what a model would be sent of the branch, with results of tools and pictures.',
        ),
      ],
    ],
    add,
    save,
  );
  if (answer === save) return saveElsewhere(session, files);
  if (answer !== add) return undefined;
  const file = await files.add(folder, [...(session.folders ?? []), session.fileName], session.bytes);
  if (file !== undefined) return file;
  throw new OffshootError(
    'session-not-added',
    vscode.l10n.t('The session could not be added in {0}: a link is in the way. Save it elsewhere.', folder),
  );
}

async function saveElsewhere(
  { fileName, bytes }: WrittenSession,
  files: ForeignFiles,
): Promise<string | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export'),
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, fileName) } : {}),
  });
  if (!file) return undefined;
  await saveFile(file, bytes);
  return (await files.namesOf(file.toString())).at(-1);
}

function isWindowsPath(folder: string): boolean {
  return /^(?:[a-z]:|\\\\)/iu.test(folder);
}
