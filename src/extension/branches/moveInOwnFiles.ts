import type { Move } from '../../conversation/move.ts';
import { contentAt, isSameVersion, versionOf } from '../../files/contentVersion.ts';
import { isReady, type InspectedFile } from '../../files/inspectFiles.ts';
import { StepWriter, type Change } from '../../files/stepWriter.ts';
import type { BranchFilesRecord } from '../../host/branchFiles.ts';
import type { MoveInOwnFiles } from '../files/fileMoves.ts';
import { requireFolders } from '../files/knownOwnFiles.ts';
import type { KeepContext } from './keepBranch.ts';
import { makeOwnFiles } from './newOwnFiles.ts';

/** What moving there needs. */
export type MoveInOwnFilesParts = Pick<KeepContext, 'conversations' | 'files' | 'ownFiles' | 'store'>;

/** Undefined where branches can't have files of their own, or this one has some: what forks from it works with them. */
export async function mayMoveInOwnFiles(
  deps: MoveInOwnFilesParts,
  chatId: string,
  label: string,
): Promise<MoveInOwnFiles | undefined> {
  const { ownFiles, store } = deps;
  if (!ownFiles.canBeMade) return undefined;
  const active = await store.getActiveBranch(chatId);
  const hasOwn = active && (await (await ownFiles.knownOf(chatId))?.hasOwn(active));
  return hasOwn ? undefined : moveInOwnFiles(deps, chatId, label);
}

/**
 * The same where the user wants nothing else. On a branch that has files of its own, what forks from it has them anyway.
 * @throws OffshootError where branches can't have files of their own
 */
export async function requireMoveInOwnFiles(
  deps: MoveInOwnFilesParts,
  chatId: string,
  label: string,
): Promise<MoveInOwnFiles | undefined> {
  requireFolders();
  await deps.ownFiles.host();
  return mayMoveInOwnFiles(deps, chatId, label);
}

/**
 * Goes back in the conversation while the workspace stays as it is: the branch there gets files of its own, in which what
 * tools changed since is taken back. What others changed since stays, as it is in the workspace.
 */
function moveInOwnFiles(deps: MoveInOwnFilesParts, chatId: string, label: string): MoveInOwnFiles {
  return async (files, move) => {
    const { conversations, ownFiles } = deps;
    let moved: Move | undefined;
    const made = await makeOwnFiles(ownFiles, { chatId, label }, async (record) => {
      await ownFiles.refresh();
      await takeBack(deps, record, files);
      moved = await move();
      await conversations.setBranchFiles(chatId, moved.to.name, record.id);
    });
    return made ? moved : undefined;
  };
}

async function takeBack(
  { files: { workspace }, store }: Pick<MoveInOwnFilesParts, 'files' | 'store'>,
  { folders }: BranchFilesRecord,
  files: readonly InspectedFile[],
): Promise<void> {
  const changes: Change[] = [];
  for (const { planned } of files.filter(isReady)) {
    const { location, madeFolders, target: to } = planned;
    const own = folders.find(({ source }) => source === location.folder);
    if (!own) continue;
    const there = { folder: own.uri, path: location.path };
    const from = await versionOf(await contentAt(workspace, there, to));
    if (!isSameVersion(from, to)) changes.push({ location: there, from, to, madeFolders });
  }
  await new StepWriter(workspace, store.blobs).apply(crypto.randomUUID(), changes);
}
