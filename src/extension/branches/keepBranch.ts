import * as vscode from 'vscode';
import { BranchBusyError } from '../../agent/run/run.ts';
import type { BranchData } from '../../engine/graph.ts';
import { BRANCH_FILES, type BranchFilesRecord } from '../../host/branchFiles.ts';
import type { ChangedFiles } from '../files/changedFiles.ts';
import {
  isSameChange,
  planChanges,
  planKeep,
  type KeepPlan,
  type LeftFile,
  type MergedChange,
} from '../files/keepBranchFiles.ts';
import { mergeByHand } from '../files/mergeEditors.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import { pickChanges, type PickChangesTexts } from '../files/pickChanges.ts';
import { notifySkipped } from '../files/restoreNotifications.ts';
import { choose, notify } from '../ui/notifications.ts';
import { offerUndo } from '../ui/offerUndo.ts';
import { withProgress } from '../ui/progress.ts';
import { offerMemory } from './carryMemory.ts';
import type { MoveContext } from './switchToBranch.ts';

interface HooksOfBranches {
  branch(event: 'BranchKept' | 'BranchDiscarded', chatId: string, branch: string): Promise<void>;
}

export interface KeepContext extends MoveContext {
  readonly files: ChangedFiles;
  readonly folder: vscode.Uri;
  readonly memory: Parameters<typeof offerMemory>[0]['memory'];
  readonly ownFiles: OwnFiles;
  /** Tells the hooks of the project what became of a branch. */
  readonly hooks: {
    tell(work: (reader: HooksOfBranches) => Promise<void>): void;
  };
}

/** `pick`: the user selects files, and places in them. */
type HowToKeep = 'all' | 'pick';

/** Brings what a branch changed in its own files into the workspace, in one step. The conversation goes on there. */
export async function keepBranch(
  deps: KeepContext,
  { chatId, name }: BranchData,
  record: BranchFilesRecord,
  how: HowToKeep,
): Promise<void> {
  const { conversations, files, history, labels, log, ownFiles, runs } = deps;
  if (runs.get(chatId, name)) throw new BranchBusyError(name);
  // The decision about the files belongs to the branch that the chat is at. Its own files stay as they are.
  const { from } = await conversations.switchBranch(name, chatId);
  const label = await labels.label(chatId, name);
  const host = await ownFiles.host();
  const planned = await planKeep(host, files, chatId, record.id);
  const chosen = await chooseChanges(deps, planned, { how, label, id: record.id, chatId });
  if (!chosen) {
    await conversations.switchBranch(from, chatId);
    return;
  }
  const { restored, left } = await host.keep(record.id, async () => {
    const { plan, ...rest } = await planChanges(files, chatId, chosen.changes);
    const allLeft = [...planned.left, ...chosen.left, ...rest.left];
    const isWhole = allLeft.length === 0 && isAll(planned.changes, chosen.changes);
    const how = {
      why: 'files' as const,
      // Where something is left, it can be kept later.
      ...(isWhole ? { branchFiles: { branch: name, id: record.id, isKept: true } } : {}),
    };
    return { ...rest, restored: await files.restorer.restore(chatId, plan, plan.files, how) };
  });
  await ownFiles.refresh();
  if (restored.count > 0) deps.hooks.tell((reader) => reader.branch('BranchKept', chatId, name));
  if (chosen.left.length + left.length > 0) void notify.warning(leftText([...chosen.left, ...left]));
  const text = keptText(restored.count, label);
  if (restored.count === 0) {
    void notify.information(text);
    return;
  }
  offerUndo(log, text, async () => {
    const step = (await history.steps('undo', chatId)).find(({ kind }) => kind === 'files-restored');
    const undone = step && (await history.take('undo', { chatId, sequence: step.sequence }));
    notifySkipped(undone?.skipped ?? []);
  });
  await offerMemory(deps, { chatId, name }, undefined);
}

/** Whether nothing of a change stays on the branch; a text that was merged by hand is whole. */
function isAll(all: readonly MergedChange[], chosen: readonly MergedChange[]): boolean {
  return all.every((each) =>
    chosen.some((other) => other === each || (each.isMarked && isSameChange(each, other))),
  );
}

function keptText(count: number, label: string): string {
  return count === 1
    ? vscode.l10n.t('Kept 1 file of “{0}”', label)
    : vscode.l10n.t('Kept {0} files of “{1}”', count, label);
}

interface About {
  readonly how: HowToKeep;
  readonly label: string;
  readonly id: string;
  readonly chatId: string;
}

interface Chosen {
  readonly changes: readonly MergedChange[];
  /** In addition to those of the plan. */
  readonly left: readonly LeftFile[];
}

/** Undefined: the user cancelled. */
async function chooseChanges(
  deps: KeepContext,
  planned: KeepPlan,
  about: About,
): Promise<Chosen | undefined> {
  const changes =
    about.how === 'all' ? planned.changes : await pickChanges(planned.changes, keepTexts(about.label));
  if (!changes) return undefined;
  const marked = changes.filter(({ isMarked }) => isMarked);
  const left = about.how === 'all' ? planned.left : [];
  if (marked.length === 0 && left.length === 0) return { changes, left: [] };
  const inEditor = vscode.l10n.t('Resolve in Merge Editor');
  const withMarks = vscode.l10n.t('Keep with Conflict Markers');
  const others = vscode.l10n.t('Keep Other Files');
  const names = marked.map(({ change }) => change.path);
  const answer = await choose(
    vscode.l10n.t('Some files changed in the workspace and on the branch.'),
    [
      ...(names.length > 0 ? [[vscode.l10n.t('Changed in the same places: {0}', names.join(', '))]] : []),
      ...(left.length > 0 ? [[leftText(left)]] : []),
    ],
    ...(marked.length > 0 ? [inEditor, withMarks] : []),
    others,
  );
  const clean = changes.filter(({ isMarked }) => !isMarked);
  if (answer === withMarks) return { changes, left: [] };
  if (answer === others) return { changes: clean, left: names.map((path) => ({ path, why: 'conflict' })) };
  return answer === inEditor ? resolve(deps, { clean, marked }, about) : undefined;
}

function keepTexts(label: string): PickChangesTexts {
  return {
    title: vscode.l10n.t('Keep Files of “{0}”', label),
    placeholder: vscode.l10n.t('Unselected files won’t change'),
    placesPlaceholder: vscode.l10n.t('Unselected changes stay on the branch'),
  };
}

/** The user takes their time: what changed since then is looked at again, and left where it is not the same. */
async function resolve(
  { files, folder, ownFiles }: KeepContext,
  { clean, marked }: { readonly clean: readonly MergedChange[]; readonly marked: readonly MergedChange[] },
  { label, id, chatId }: About,
): Promise<Chosen | undefined> {
  const merged = await withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Resolve the conflicts, then save and close the editor'),
      cancellable: true,
    },
    (progress, token) =>
      mergeByHand(marked, {
        folder: vscode.Uri.joinPath(folder, BRANCH_FILES, id, 'merge'),
        label,
        token,
        onFile: (path) => progress.report({ message: path }),
      }),
  );
  if (!merged) return undefined;
  const { changes } = await planKeep(await ownFiles.host(), files, chatId, id);
  const isCurrent = (each: MergedChange): boolean => changes.some((other) => isSameChange(each, other));
  const all = [...clean, ...merged];
  const stale = all.filter((each) => !isCurrent(each));
  const open = all.filter((each) => each.isMarked && isCurrent(each));
  return {
    changes: all.filter((each) => !each.isMarked && isCurrent(each)),
    left: [
      ...stale.map(({ change }): LeftFile => ({ path: change.path, why: 'other' })),
      ...open.map(({ change }): LeftFile => ({ path: change.path, why: 'conflict' })),
    ],
  };
}

function leftText(left: readonly LeftFile[]): string {
  const files = left.map((file) => vscode.l10n.t('{0} ({1})', file.path, whyText(file)));
  return vscode.l10n.t('These stay as they are: {0}', files.join(', '));
}

function whyText({ why }: LeftFile): string {
  switch (why) {
    case 'protected':
      return vscode.l10n.t('protected or read-only');
    case 'binary':
      return vscode.l10n.t('not a text, changed in both');
    case 'deleted':
      return vscode.l10n.t('changed in one, deleted in the other');
    case 'there':
      return vscode.l10n.t('its new name is taken');
    case 'unsaved':
      return vscode.l10n.t('has unsaved changes');
    case 'other':
      return vscode.l10n.t('changed since, or too large');
    case 'conflict':
      return vscode.l10n.t('still has conflicts');
  }
}
