import * as vscode from 'vscode';
import { canBeChosen, isReady, type InspectedFile } from '../../files/inspectFiles.ts';
import { trueName } from './trueName.ts';
import { protectionText, readOnlyText } from './protectionText.ts';
import { uriOf } from './openEditors.ts';
import { shownLocation } from './openFolders.ts';
import { whatHappens } from './restoreTexts.ts';
import { versionUri } from './versionUris.ts';
import { sentences } from '../ui/formats.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import { openComparison } from '../ui/tabs.ts';

interface FileItem extends PickRow {
  readonly file: InspectedFile;
}

/** @returns the selected ones; undefined when the user cancelled */
export async function pickFiles(
  files: readonly InspectedFile[],
  chosen: readonly InspectedFile[],
): Promise<InspectedFile[] | undefined> {
  const compare: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('diff'),
    tooltip: vscode.l10n.t('Compare with what is there now'),
  };
  const picker = new PickList<FileItem>({
    title: vscode.l10n.t('Select files to restore'),
    placeholder: vscode.l10n.t('Unselected files won’t change'),
    canSelectMany: true,
    matchOnDetail: true,
    // A comparison takes the focus.
    ignoreFocusOut: true,
  });
  const rows = files
    .map((file) => ({
      file,
      label: trueName(shownLocation(file.planned.location)),
      description: whatHappens(file),
      ...detailOf(file),
      buttons: [compare],
    }))
    .sort((a, b) => (a.label < b.label ? -1 : 1));
  picker.rows = rows;
  picker.selectedRows = rows.filter(({ file }) => chosen.includes(file));
  try {
    return await new Promise((resolve) => {
      picker.onDidTriggerRowButton(({ file }) => void showDifference(file));
      picker.onDidAccept(() => resolve(picker.selectedRows.map(({ file }) => file).filter(canBeChosen)));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

export async function showDifference({ planned, current }: InspectedFile): Promise<void> {
  const { location, target } = planned;
  const uri = uriOf(location);
  // A link would be followed, and a folder is no text.
  const isFile = current !== null && current.kind === undefined;
  const now = isFile ? uri : versionUri(location.path, null);
  const title = vscode.l10n.t('{0} (now ↔ restored)', trueName(shownLocation(location)));
  const restored = versionUri(location.path, target, uri);
  await openComparison(now, restored, title, { preview: true, preserveFocus: true });
}

function detailOf(file: InspectedFile): { detail?: string; detailIcon?: string } {
  const detail = reasonOf(file);
  return detail === undefined ? {} : { detail, detailIcon: 'warning' };
}

/** Why a file is skipped unless selected, or always; protected ones must be selected each time. */
function reasonOf(file: InspectedFile): string | undefined {
  if (isReady(file)) return undefined;
  const reason = stateReason(file);
  if (!canBeChosen(file)) return reason;
  const reasons = [
    ...(file.protection === undefined ? [] : [protectionText(file.protection)]),
    ...(file.isReadOnly === true ? [readOnlyText()] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  return reasons.length === 0 ? undefined : sentences(...reasons);
}

function stateReason(file: InspectedFile): string | undefined {
  switch (file.state) {
    case 'changed':
      return vscode.l10n.t('Edited after the agent’s change. Restoring overwrites those edits.');
    case 'mixed':
      return vscode.l10n.t('Edited between the agent’s changes. Restoring overwrites those edits too.');
    case 'unsaved':
      return vscode.l10n.t('Open with changes that are not saved; they would be lost');
    case 'not-kept':
      return vscode.l10n.t('Cannot be restored: it was too large to be kept, or there was no room');
    case 'blocked':
      return file.problem ?? vscode.l10n.t('Cannot be restored');
    case 'ready':
    case 'there':
      return undefined;
  }
}
