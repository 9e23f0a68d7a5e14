import type { BranchData, MessageData } from '../../engine/graph.ts';
import { sideQuestionBranches } from '../../engine/sideQuestionBranches.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { BRANCH_COLORS } from '../../protocol/pageFacts.ts';
import type { LineageView } from '../../protocol/chatFromHost.ts';
import type { VersionsView } from '../../protocol/views.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { readExplored } from '../branches/outlines.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';

/** A stretch of the path, and the branch it was written on. */
export interface Stretch extends LineageView {
  /** The depth of the message before its first one. */
  readonly after: number;
}

/** Root first. A branch that was left above its own beginning has no part in the path, and is skipped. */
export async function readLineage(
  store: ReadonlyStore,
  branch: BranchData,
  branches: readonly BranchData[],
): Promise<Stretch[]> {
  const byName = new Map(branches.map((each) => [each.name, each]));
  const stretches: Stretch[] = [];
  let limit = Infinity;
  const seen = new Set<string>();
  for (
    let at: BranchData | undefined = branch;
    at && !seen.has(at.id);
    at = byName.get(at.parentBranch ?? '')
  ) {
    seen.add(at.id);
    const { forkMessageId, chatId } = at;
    const fork = forkMessageId === null ? undefined : await store.getMessage(chatId, forkMessageId);
    const after = fork?.depth ?? 0;
    if (after >= limit) continue;
    stretches.unshift({
      branch: at.name,
      color: Math.max(0, branches.indexOf(at)) % BRANCH_COLORS,
      ...(fork ? { forkMessageId: fork.id } : {}),
      after,
    });
    limit = after;
    if (after === 0) break;
  }
  return stretches;
}

/** As in the tree, what the agent explored and returned from is below what went on, which does not come from there. */
export async function withoutExplored(
  store: ReadonlyStore,
  { id, chatId }: BranchData,
  stretches: readonly Stretch[],
  branches: readonly BranchData[],
): Promise<readonly Stretch[]> {
  if (stretches.length < 2) return stretches;
  const explored = await readExplored(store, chatId);
  const left = new Set(
    branches.flatMap((each) => (each.id !== id && explored.has(each.headMessageId ?? '') ? [each.name] : [])),
  );
  return stretches.filter(({ branch }) => !left.has(branch));
}

export function colorAt(stretches: readonly Stretch[], depth: number): number {
  return (stretches.findLast(({ after }) => depth > after) ?? stretches[0])?.color ?? 0;
}

const PREVIEW_LENGTH = 100;

export async function readVersions(
  store: ReadonlyStore,
  chatId: string,
  path: readonly MessageData[],
): Promise<Map<string, VersionsView>> {
  const ids = path.flatMap(({ id, type }) => (type === 'internal' ? [] : [id]));
  const siblings = await store.getSiblings(chatId, ids);
  const versions = new Map<string, VersionsView>();
  if (siblings.size === 0) return versions;
  const aside = await sideQuestionIds(store, chatId);
  for (const [id, all] of siblings) {
    const own = all.filter((each) => !aside.has(each));
    if (own.length > 1 && own.includes(id))
      versions.set(id, await versionsView(store, chatId, own, own.indexOf(id)));
  }
  return versions;
}

/** Side questions: each begins next to what was asked after the same message, and is no version of that. */
async function sideQuestionIds(store: ReadonlyStore, chatId: string): Promise<ReadonlySet<string>> {
  const names = sideQuestionBranches(await store.listEvents(chatId, { kinds: ['btw', 'branch-renamed'] }));
  const ids = new Set<string>();
  if (names.size === 0) return ids;
  for (const { name, forkMessageId, headMessageId } of await store.listBranches(chatId, {
    includeArchived: true,
  })) {
    if (!names.has(name) || forkMessageId === null || headMessageId === null) continue;
    const own = await store.getPathAfter(chatId, forkMessageId, headMessageId);
    const question = own?.find(({ type }) => type !== 'internal');
    if (question) ids.add(question.id);
  }
  return ids;
}

/** The version number of an answer that is still being written after a message; undefined if it is the only one. */
export async function versionsBesides(
  store: ReadonlyStore,
  chatId: string,
  messageId: string | null,
): Promise<VersionsView | undefined> {
  const children = messageId === null ? [] : await store.getChildren(chatId, messageId);
  const [first] = children.filter(({ name }) => name === 'assistant');
  if (!first) return undefined;
  const ids = (await store.getSiblings(chatId, [first.id])).get(first.id) ?? [first.id];
  return versionsView(store, chatId, ids, ids.length);
}

/** @param at the index of the shown one in `ids`; one past the end for an answer that is not saved yet */
async function versionsView(
  store: ReadonlyStore,
  chatId: string,
  ids: readonly string[],
  at: number,
): Promise<VersionsView> {
  const preview = async (id: string | undefined): Promise<VersionsView['before']> => {
    const message = id === undefined ? undefined : await store.getMessage(chatId, id);
    const read = message && readUIMessage(message.data);
    return message && { id: message.id, preview: read ? messageExcerpt(read, PREVIEW_LENGTH) : '' };
  };
  const [before, after] = [await preview(ids[at - 1]), await preview(ids[at + 1])];
  return {
    number: at + 1,
    count: Math.max(ids.length, at + 1),
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  };
}
