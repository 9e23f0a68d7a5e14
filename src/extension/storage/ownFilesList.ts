import * as vscode from 'vscode';
import { z } from 'zod';
import type { Runs } from '../../agent/run/runs.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import {
  readOwnFilesUse,
  sumOf,
  tidyOwnFiles,
  type OwnFilesUse,
  type OwnFilesUseContext,
} from '../files/ownFilesUse.ts';
import { numberText, sizeText, timeAgo } from '../ui/formats.ts';
import { choose, confirm, notify } from '../ui/notifications.ts';
import { pickOne, type PickRow } from '../ui/quickPick.ts';

export interface OwnFilesListContext {
  readonly labels: { label(chatId: string, branch: string): Promise<string> };
  readonly ownFiles: Pick<OwnFiles, 'known' | 'refresh'>;
  readonly runs: Pick<Runs, 'list'>;
  readonly store: ReadonlyStore;
}

/** Those that the user was told of: not again. */
const TOLD = 'offshoot.toldOwnFiles';

/** At a start, and once a day. The user is told of what only they can decide, once. */
export async function careForOwnFiles(
  deps: OwnFilesListContext & { readonly workspaceState: vscode.Memento },
): Promise<void> {
  const context = await useContext(deps);
  if (!context) return;
  const undecided = await tidyOwnFiles(context);
  await deps.ownFiles.refresh();
  const told = z.array(z.string()).catch([]).parse(deps.workspaceState.get(TOLD));
  const ids = undecided.map(({ id }) => id);
  if (ids.every((id) => told.includes(id))) return;
  await deps.workspaceState.update(TOLD, ids);
  const size = sizeText(sumOf(undecided).bytes);
  const text = undecided.some(({ isLeftOver }) => isLeftOver)
    ? vscode.l10n.t('Files of branches that are gone take {0}, and may have changes.', size)
    : vscode.l10n.t('Old files of branches take {0}, and have changes that aren’t in the workspace.', size);
  const show = vscode.l10n.t('Show…');
  if ((await notify.information(text, show)) === show) await showOwnFiles(deps);
}

/** Empty where no branch has any. */
export async function ownFilesUse(deps: OwnFilesListContext): Promise<readonly OwnFilesUse[]> {
  const context = await useContext(deps);
  return context ? readOwnFilesUse(context) : [];
}

/** As in “3 · 120 MB, 1 with changes that aren’t in the workspace”. */
export function ownFilesText(uses: readonly OwnFilesUse[]): string {
  const all = [numberText(uses.length), sizeText(sumOf(uses).bytes)].join(' · ');
  const unkept = uses.filter(({ isUnkept }) => isUnkept).length;
  return unkept === 0
    ? all
    : vscode.l10n.t('{0}, {1} with changes that aren’t in the workspace', all, unkept);
}

/** Each can be discarded, or removed where no branch works with it any more. */
export async function showOwnFiles(deps: OwnFilesListContext): Promise<void> {
  const rows = async (): Promise<(PickRow & { readonly use: OwnFilesUse })[]> => {
    const uses = await ownFilesUse(deps);
    return Promise.all(
      uses
        .toSorted((a, b) => Number(b.isLeftOver) - Number(a.isLeftOver) || b.bytes - a.bytes)
        .map(async (use) => ({
          use,
          icon: use.isLeftOver ? 'warning' : 'files',
          label: await labelOf(deps, use),
          description: [sizeText(use.bytes), ...(use.record ? [timeAgo(use.record.createdAt)] : [])].join(
            ' · ',
          ),
          detail: stateText(use),
        })),
    );
  };
  const picked = await pickOne(rows(), {
    title: vscode.l10n.t('Files of Branches'),
    placeHolder: vscode.l10n.t('Select files to discard or remove'),
    matchOnDetail: true,
  });
  if (!picked) return;
  await (picked.use.isLeftOver ? removeLeftOver(deps, picked.use) : discardUse(deps, picked.use));
}

async function removeLeftOver(deps: OwnFilesListContext, use: OwnFilesUse): Promise<void> {
  const open = vscode.l10n.t('Open Folder in New Window');
  const remove = vscode.l10n.t('Remove');
  const [folder] = use.record?.state === 'open' ? use.record.folders : [];
  const answer = await choose(
    vscode.l10n.t('Remove the files of “{0}” for good?', await labelOf(deps, use)),
    [[stateText(use)], [vscode.l10n.t('This cannot be undone.')]],
    remove,
    ...(folder ? [open] : []),
  );
  if (answer === open && folder) {
    const uri = vscode.Uri.parse(folder.uri, true);
    await vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  }
  if (answer === remove) await removeOwnFiles(deps, [use.id]);
}

async function discardUse(deps: OwnFilesListContext, { id, record }: OwnFilesUse): Promise<void> {
  const context = await useContext(deps);
  if (!context || record?.state !== 'open') return;
  if (deps.runs.list(record.chatId).some((run) => run.ownFiles === id)) {
    throw new OffshootError(
      'own-files-in-use',
      defineMessage('An answer is working in these files. Stop it first.'),
    );
  }
  const isSure = await confirm(
    vscode.l10n.t('Discard the files of “{0}”?', await labelOf(deps, { record })),
    [
      vscode.l10n.t(
        'What was changed is kept. “Bring Files Back” in the menu of the branch makes them again.',
      ),
    ],
    vscode.l10n.t('Discard'),
  );
  if (!isSure) return;
  await context.host.discard(id);
  await deps.ownFiles.refresh();
}

/** For good, with what is kept of discarded ones. */
export async function removeOwnFiles(
  { ownFiles }: Pick<OwnFilesListContext, 'ownFiles'>,
  ids: readonly string[],
): Promise<void> {
  const known = ids.length > 0 ? await ownFiles.known() : undefined;
  if (!known) return;
  const host = await known.host();
  for (const id of ids) await host.remove(id);
  await ownFiles.refresh();
}

async function useContext(deps: OwnFilesListContext): Promise<OwnFilesUseContext | undefined> {
  const { ownFiles, runs, store } = deps;
  const known = await ownFiles.known();
  return known && { known, host: await known.host(), store, runs, now: Date.now() };
}

async function labelOf(
  { labels, ownFiles, store }: Pick<OwnFilesListContext, 'labels' | 'ownFiles' | 'store'>,
  { record }: Pick<OwnFilesUse, 'record'>,
): Promise<string> {
  if (!record) return vscode.l10n.t('Unknown branch');
  const { chatId, folders } = record;
  const chat = await store.getChat(chatId);
  const [name] = chat ? ((await (await ownFiles.known())?.branchesWith(record)) ?? []) : [];
  if (name !== undefined) return labels.label(chatId, name);
  return chat?.title ?? folders[0]?.name ?? vscode.l10n.t('Unknown branch');
}

function stateText({ record, isLeftOver, isUnkept }: OwnFilesUse): string {
  return [
    ...(isLeftOver ? [vscode.l10n.t('their branch is gone')] : []),
    ...(record?.state === 'discarded' ? [vscode.l10n.t('files discarded')] : []),
    !record
      ? vscode.l10n.t('what was changed is unknown')
      : isUnkept
        ? vscode.l10n.t('with changes that aren’t in the workspace')
        : vscode.l10n.t('no changes to keep'),
  ].join(' · ');
}
