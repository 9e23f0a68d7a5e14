import * as vscode from 'vscode';
import { countLines, type Hunk } from '../../files/textHunks.ts';
import { PickList, pickMany, type PickRow } from '../ui/quickPick.ts';
import { hunksOfChange, withHunks } from './changeHunks.ts';
import type { MergedChange } from './keepBranchFiles.ts';

interface ChangeRow extends PickRow {
  readonly merged: MergedChange;
}

/** How much of the first line of a hunk a row shows, in characters. */
const EXCERPT_LENGTH = 60;

export interface PickChangesTexts {
  readonly title: string;
  readonly placeholder: string;
  /** Where places of a file are selected. */
  readonly placesPlaceholder: string;
}

/** Asks which files of a branch to take, and which of their places. @returns undefined when the user cancelled */
export async function pickChanges(
  changes: readonly MergedChange[],
  texts: PickChangesTexts,
): Promise<MergedChange[] | undefined> {
  let all = [...changes];
  let chosen = new Set(changes.filter(({ isMarked }) => !isMarked).map(pathOf));
  for (;;) {
    const hasParts = (merged: MergedChange): boolean =>
      changes.some((each) => pathOf(each) === pathOf(merged) && hunksOfChange(each).length > 1);
    const answer = await pickFilesOf(all, { chosen, hasParts, texts });
    if (answer === undefined || Array.isArray(answer)) return answer;
    chosen = new Set(answer.chosen.map(pathOf));
    const whole = changes.find((each) => pathOf(each) === pathOf(answer.parts)) ?? answer.parts;
    const part = await pickHunks(whole, texts.placesPlaceholder);
    if (!part) continue;
    all = all.map((each) => (pathOf(each) === pathOf(part) ? part : each));
    chosen.add(pathOf(part));
  }
}

type Answer = MergedChange[] | { readonly parts: MergedChange; readonly chosen: readonly MergedChange[] };

async function pickFilesOf(
  changes: readonly MergedChange[],
  {
    chosen,
    hasParts,
    texts: { title, placeholder },
  }: {
    readonly chosen: ReadonlySet<string>;
    readonly hasParts: (merged: MergedChange) => boolean;
    readonly texts: PickChangesTexts;
  },
): Promise<Answer | undefined> {
  const parts: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('list-selection'),
    tooltip: vscode.l10n.t('Select Changes…'),
  };
  const picker = new PickList<ChangeRow>({
    title,
    placeholder,
    canSelectMany: true,
  });
  const rows = changes.map((merged) => ({
    merged,
    label: pathOf(merged),
    description: descriptionOf(merged),
    buttons: hasParts(merged) ? [parts] : [],
  }));
  picker.rows = rows;
  picker.selectedRows = rows.filter(({ merged }) => chosen.has(pathOf(merged)));
  const selected = (): MergedChange[] => picker.selectedRows.map(({ merged }) => merged);
  try {
    return await new Promise((resolve) => {
      picker.onDidTriggerRowButton(({ merged }) => resolve({ parts: merged, chosen: selected() }));
      picker.onDidAccept(() => resolve(selected()));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
  }
}

/** Asks for places of a text. @returns the change with only these */
async function pickHunks(merged: MergedChange, placeHolder: string): Promise<MergedChange | undefined> {
  const rows = hunksOfChange(merged).map((hunk) => ({ hunk, picked: true, ...rowOf(hunk) }));
  const picked = await pickMany(rows, {
    title: vscode.l10n.t('Changes of {0}', pathOf(merged)),
    placeHolder,
  });
  return picked && withHunks(merged, new Set(picked.map(({ hunk }) => hunk.beforeStart)));
}

function pathOf({ change }: MergedChange): string {
  return change.path;
}

function descriptionOf(merged: MergedChange): string {
  const { change, isMarked } = merged;
  const { added, removed } = countLines(hunksOfChange(merged));
  return [
    ...(change.oldPath === undefined ? [] : [vscode.l10n.t('renamed from {0}', change.oldPath)]),
    ...(change.before === null ? [vscode.l10n.t('new')] : []),
    ...(change.after === null ? [vscode.l10n.t('deleted')] : []),
    ...(isMarked ? [vscode.l10n.t('changed in the same places')] : []),
    ...(added + removed > 0 ? [vscode.l10n.t('+{0} −{1}', added, removed)] : []),
  ].join(' · ');
}

function rowOf({ beforeStart, removed, added }: Hunk): { label: string; description: string } {
  const first = (added.find((line) => line.trim() !== '') ?? removed[0] ?? '').trim();
  return {
    label: vscode.l10n.t('Line {0}: {1}', beforeStart + 1, first.slice(0, EXCERPT_LENGTH)),
    description: vscode.l10n.t('+{0} −{1}', added.length, removed.length),
  };
}
