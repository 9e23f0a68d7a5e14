import type { Run } from '../../agent/run/run.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { BranchFiles, BranchFilesRecord, DiskUse } from '../../host/branchFiles.ts';
import type { KnownOwnFiles } from './knownOwnFiles.ts';

export interface OwnFilesUse extends DiskUse {
  readonly id: string;
  /** Undefined: it can't be read. */
  readonly record: BranchFilesRecord | undefined;
  /** They have changes that are nowhere else. */
  readonly isUnkept: boolean;
  /** No branch works with them any more, nor can one that is in the trash. */
  readonly isLeftOver: boolean;
}

export interface OwnFilesUseContext {
  readonly known: Pick<KnownOwnFiles, 'all' | 'branchesWith' | 'budget' | 'isOfStore' | 'keptOf'>;
  readonly host: Pick<BranchFiles, 'discard' | 'hasChanges' | 'lost' | 'measure' | 'remove'>;
  readonly store: Pick<ReadonlyStore, 'getBranch' | 'getChat' | 'getMessage' | 'trash'>;
  readonly runs: { list(chatId: string): readonly Pick<Run, 'ownFiles'>[] };
  readonly now: number;
}

/** New ones are named by their branch a moment after they are made, which may be in another window. */
const NEW_MS = 60 * 60 * 1_000;

/** What was used since then is never discarded unasked: another window may be at it. */
const USED_MS = 24 * 60 * 60 * 1_000;

/** All that are on this machine for the open folders. */
export async function readOwnFilesUse(context: OwnFilesUseContext): Promise<readonly OwnFilesUse[]> {
  const { known, host } = context;
  const uses: OwnFilesUse[] = [];
  for (const record of known.all()) {
    const { id } = record;
    const use = await host.measure(id);
    const isUnkept = (await hasChanges(host, id)) && !(await isKept(context, record));
    uses.push({ id, record, ...use, isUnkept, isLeftOver: await isLeftOver(context, record) });
  }
  for (const id of await host.lost()) {
    uses.push({ id, record: undefined, ...(await host.measure(id)), isUnkept: true, isLeftOver: true });
  }
  return uses;
}

/**
 * Removes what is left over, and discards what is beyond the budget, oldest first, where nothing was changed.
 * @returns what only the user can decide
 */
export async function tidyOwnFiles(context: OwnFilesUseContext): Promise<readonly OwnFilesUse[]> {
  const { known, host, now } = context;
  const { maxAge, maxBytes } = known.budget();
  const uses = await readOwnFilesUse(context);
  let bytes = sumOf(uses).bytes;
  const undecided: OwnFilesUse[] = [];
  const sorted = uses.toSorted((a, b) => (a.record?.createdAt ?? 0) - (b.record?.createdAt ?? 0));
  for (const use of sorted) {
    const { id, record, isUnkept } = use;
    if (use.isLeftOver) {
      if (isUnkept || !(await removeUnchanged(host, id))) undecided.push(use);
      else bytes -= use.bytes;
      continue;
    }
    if (record?.state !== 'open') continue;
    const isBeyond = bytes > maxBytes || now - record.createdAt > maxAge;
    if (!isBeyond || (await isInUse(context, record))) continue;
    if (isUnkept) {
      undecided.push(use);
      continue;
    }
    await host.discard(id);
    bytes += (await host.measure(id)).bytes - use.bytes;
  }
  return undecided;
}

export function sumOf(uses: readonly DiskUse[]): DiskUse {
  const sum = (of: keyof DiskUse): number => uses.reduce((total, use) => total + use[of], 0);
  return { files: sum('files'), bytes: sum('bytes') };
}

/** What is changed before they are gone is kept. @returns whether they are gone */
async function removeUnchanged(host: OwnFilesUseContext['host'], id: string): Promise<boolean> {
  await host.discard(id);
  if (await host.hasChanges(id)) return false;
  await host.remove(id);
  return true;
}

async function hasChanges(host: Pick<BranchFiles, 'hasChanges'>, id: string): Promise<boolean> {
  try {
    return await host.hasChanges(id);
  } catch {
    // What can't be compared may have some.
    return true;
  }
}

async function isKept(
  { known }: Pick<OwnFilesUseContext, 'known'>,
  record: BranchFilesRecord,
): Promise<boolean> {
  return known.isOfStore(record) && (await known.keptOf(record))?.isKept === true;
}

async function isLeftOver(
  { known, store, now }: Pick<OwnFilesUseContext, 'known' | 'store' | 'now'>,
  record: BranchFilesRecord,
): Promise<boolean> {
  const { chatId, createdAt } = record;
  if (!known.isOfStore(record) || now - createdAt < NEW_MS) return false;
  // Of all users.
  if ((await store.trash.list({ chatId })).length > 0) return false;
  if (!(await store.getChat(chatId))) return true;
  // Undo may need those that were kept.
  return (await known.branchesWith(record)).length === 0 && !(await known.keptOf(record));
}

async function isInUse(
  { known, store, runs, now }: Pick<OwnFilesUseContext, 'known' | 'store' | 'runs' | 'now'>,
  record: BranchFilesRecord,
): Promise<boolean> {
  const { id, chatId, createdAt } = record;
  if (!known.isOfStore(record) || now - createdAt < USED_MS) return true;
  if (runs.list(chatId).some((run) => run.ownFiles === id)) return true;
  for (const name of await known.branchesWith(record)) {
    const head = (await store.getBranch(chatId, name))?.headMessageId;
    const message = typeof head === 'string' ? await store.getMessage(chatId, head) : undefined;
    if (message && now - message.createdAt < USED_MS) return true;
  }
  return false;
}
