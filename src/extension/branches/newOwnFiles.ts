import * as vscode from 'vscode';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import type { KnownOwnFiles } from '../files/knownOwnFiles.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { sandboxText } from '../files/ownFilesProgress.ts';
import { plainText } from '../ui/inertText.ts';
import { choose, notify } from '../ui/notifications.ts';
import { withProgress } from '../ui/progress.ts';

export interface NewOwnFiles {
  readonly record: BranchFilesRecord;
  /** Of the branch, for the user. */
  readonly label: string;
}

/**
 * Makes files for a branch, has them used, and tells what they are without.
 * @param id of discarded ones, to have them again
 * @param use what fails in it leaves no new files
 * @returns false when the user cancelled
 */
export async function makeOwnFiles(
  ownFiles: Pick<OwnFiles, 'host' | 'load' | 'refresh'>,
  {
    chatId,
    id,
    label,
  }: { readonly chatId: string; readonly id?: string | undefined; readonly label: string },
  use: (record: BranchFilesRecord) => Promise<void>,
): Promise<boolean> {
  const known = await ownFiles.load();
  const stop = new AbortController();
  const record = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Copying files for “{0}”', label),
      cancellable: true,
    },
    async (_progress, token) => {
      token.onCancellationRequested(() => stop.abort());
      return known.make({ id, chatId, signal: stop.signal });
    },
  ).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
    return undefined;
  });
  if (!record) return false;
  try {
    await use(record);
  } catch (error) {
    if (id === undefined) await (await ownFiles.host()).remove(record.id);
    throw error;
  }
  await ownFiles.refresh();
  await readyOwnFiles(known, [{ record, label }]);
  return true;
}

/**
 * Tells what new files of branches are without, and offers the setup command. It is a command of the user's settings, or
 * of a workspace that they trust: they see it first in both cases. Nobody waits for its end.
 */
export async function readyOwnFiles(
  known: Pick<KnownOwnFiles, 'hasSandbox' | 'setup' | 'setUp'>,
  made: readonly NewOwnFiles[],
): Promise<void> {
  const missing = namesIn(made, ({ record }) => record.missing);
  if (missing !== '') {
    void notify.warning(vscode.l10n.t('Could not be read, and not copied: {0}', missing));
  }
  const empty = namesIn(made, ({ record }) => record.empty);
  if (empty !== '') {
    void notify.warning(vscode.l10n.t('Other repositories are empty in the files of a branch: {0}', empty));
  }
  const { setup } = known;
  if (setup === '') return;
  const labels = made.map(({ label }) => `“${label}”`).join(', ');
  const isWalled = await known.hasSandbox();
  const outside = vscode.l10n.t('Run Outside of Sandbox');
  const chosen = await choose(
    vscode.l10n.t('Run the setup command in the files of {0}?', labels),
    [[setup], ...(isWalled ? [[sandboxText()]] : [])],
    vscode.l10n.t('Run'),
    ...(isWalled ? [outside] : []),
  );
  if (chosen === undefined) return;
  for (const each of made) {
    if (isWalled && chosen !== outside) void setUpWalled(known, each);
    else setUpOutside(setup, each);
  }
}

async function setUpWalled(known: Pick<KnownOwnFiles, 'setup' | 'setUp'>, made: NewOwnFiles): Promise<void> {
  const { setup } = known;
  const problem = await known.setUp(made.record, made.label);
  if (problem === undefined) return;
  const outside = vscode.l10n.t('Run Outside of Sandbox');
  if ((await notify.warning(problem, outside)) === outside) setUpOutside(setup, made);
}

/** In a terminal like those of the user, whose shell may have more to say where tools are. */
function setUpOutside(setup: string, { record, label }: NewOwnFiles): void {
  const [folder] = record.folders;
  if (!folder) return;
  const cwd = vscode.Uri.parse(folder.uri, true);
  const terminal = vscode.window.createTerminal({ name: plainText(label), cwd });
  terminal.show(true);
  terminal.sendText(setup);
}

function namesIn(made: readonly NewOwnFiles[], of: (each: NewOwnFiles) => readonly string[]): string {
  return [...new Set(made.flatMap(of))].join(', ');
}
