import * as vscode from 'vscode';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import { plainText } from '../ui/inertText.ts';
import { confirm, notify } from '../ui/notifications.ts';

export interface NewOwnFiles {
  readonly record: BranchFilesRecord;
  /** Of the branch, for the user. */
  readonly label: string;
}

/**
 * Tells what new files of branches are without, and offers the setup command. It is a command of the user's settings, or
 * of a workspace that they trust: they see it first in both cases.
 * @param setup empty: none
 */
export async function readyOwnFiles(setup: string, made: readonly NewOwnFiles[]): Promise<void> {
  const missing = namesIn(made, ({ record }) => record.missing);
  if (missing !== '') {
    void notify.warning(vscode.l10n.t('Could not be read, and not copied: {0}', missing));
  }
  const empty = namesIn(made, ({ record }) => record.empty);
  if (empty !== '') {
    void notify.warning(vscode.l10n.t('Other repositories are empty in the files of a branch: {0}', empty));
  }
  if (setup === '') return;
  const labels = made.map(({ label }) => `“${label}”`).join(', ');
  const isApproved = await confirm(
    vscode.l10n.t('Run the setup command in the files of {0}?', labels),
    [setup],
    vscode.l10n.t('Run'),
  );
  if (!isApproved) return;
  for (const { record, label } of made) {
    const [folder] = record.folders;
    if (!folder) continue;
    const cwd = vscode.Uri.parse(folder.uri, true);
    const terminal = vscode.window.createTerminal({ name: plainText(label), cwd });
    terminal.show(true);
    terminal.sendText(setup);
  }
}

function namesIn(made: readonly NewOwnFiles[], of: (each: NewOwnFiles) => readonly string[]): string {
  return [...new Set(made.flatMap(of))].join(', ');
}
