import { BRANCH_COLORS } from '../../protocol/pageFacts.ts';
import type { GraphBranch, GraphChanged, GraphRole, NodeDescription } from '../../protocol/graphMessages.ts';
import { layOut, pathTo, type GraphLayout } from './layout.ts';
import { t } from '../state/texts.ts';

/** A node as it is drawn; the one with an empty id precedes the first messages if there are several. */
export interface GraphModel {
  readonly chat: GraphChanged['chat'];
  readonly ids: readonly string[];
  readonly roles: readonly (GraphRole | 'start')[];
  readonly layout: GraphLayout;
  readonly indexOf: ReadonlyMap<string, number>;
  /** The branches that end at a node. */
  readonly heads: ReadonlyMap<number, readonly GraphBranch[]>;
  readonly checkpoints: ReadonlyMap<number, readonly string[]>;
  /** For each node: whether it is on the path to the active head. */
  readonly onActivePath: Uint8Array;
  /** For each node: the color of its branch, as in the chat. */
  readonly colors: Uint8Array;
  /** The active head; -1 before the first message. */
  readonly activeHead: number;
  readonly isReadOnly: boolean;
  readonly branchCount: number;
}

export interface GraphData {
  readonly chat: GraphChanged['chat'];
  readonly ids: readonly string[];
  readonly parents: readonly number[];
  readonly roles: readonly GraphRole[];
  readonly branches: GraphChanged['branches'];
  readonly checkpoints: GraphChanged['checkpoints'];
  readonly isReadOnly: boolean;
}

/** Undefined when an earlier message of the host is missing. */
export function withChange(known: GraphData | undefined, change: GraphChanged): GraphData | undefined {
  const { chat, from, branches, checkpoints, isReadOnly } = change;
  const shared = { chat, branches, checkpoints, isReadOnly };
  const { ids, parents, roles } = change;
  if (parents.length !== ids.length || roles.length !== ids.length) return undefined;
  if (from === 0) return { ...shared, ids, parents, roles };
  if (known?.chat.id !== chat.id || known.ids.length !== from) return undefined;
  return {
    ...shared,
    ids: [...known.ids, ...ids],
    parents: [...known.parents, ...parents],
    roles: [...known.roles, ...roles],
  };
}

/** Takes time linear in the number of messages. */
export function modelOf(data: GraphData): GraphModel {
  const roots = data.parents.filter((parent) => parent === -1).length;
  const isEmptyBranch = ({ headMessageId, isArchived }: GraphBranch): boolean =>
    headMessageId === null && !isArchived;
  // Several roots, or an empty branch: they begin at one common node.
  const hasStart = roots > 1 || (roots > 0 && data.branches.some(isEmptyBranch));
  const ids = hasStart ? ['', ...data.ids] : data.ids;
  const roles = hasStart ? (['start', ...data.roles] as const) : data.roles;
  const parents = hasStart ? [-1, ...data.parents.map((parent) => parent + 1)] : data.parents;
  const indexOf = new Map(ids.map((id, index) => [id, index]));
  const place = (id: string | null): number => indexOf.get(id ?? '') ?? -1;
  const layout = layOut(parents, asideOf(parents, data.branches, place));
  const heads = new Map<number, GraphBranch[]>();
  for (const branch of data.branches) add(heads, place(branch.headMessageId), branch);
  const checkpoints = new Map<number, string[]>();
  for (const { name, messageId } of data.checkpoints) add(checkpoints, place(messageId), name);
  const activeHead = place(data.branches.find(({ isActive }) => isActive)?.headMessageId ?? null);
  return {
    chat: data.chat,
    ids,
    roles,
    layout,
    indexOf,
    heads,
    checkpoints,
    onActivePath: pathTo(layout, activeHead),
    colors: colorsOf(
      layout,
      data.branches.map(({ headMessageId }) => place(headMessageId)),
    ),
    activeHead,
    isReadOnly: data.isReadOnly,
    branchCount: data.branches.filter(({ isArchived }) => !isArchived).length,
  };
}

/** Whether a node exists only for tasks: the continuation of their starting point keeps its lane. */
function asideOf(
  parents: readonly number[],
  branches: readonly GraphBranch[],
  place: (id: string | null) => number,
): ((node: number) => boolean) | undefined {
  if (!branches.some(({ isTask }) => isTask)) return undefined;
  const others = new Uint8Array(parents.length);
  for (const { headMessageId, isTask } of branches) {
    if (isTask) continue;
    for (let node = place(headMessageId); node !== -1 && others[node] === 0; node = parents[node] ?? -1) {
      others[node] = 1;
    }
  }
  return (node) => others[node] === 0;
}

/** A message belongs to the oldest branch that leads to it. @param heads of the branches, oldest first; -1: none */
export function colorsOf({ count, parents }: GraphLayout, heads: readonly number[]): Uint8Array {
  const colors = new Uint8Array(count);
  const owned = new Uint8Array(count);
  heads.forEach((head, branch) => {
    for (let node = head; node !== -1 && owned[node] === 0; node = parents[node] ?? -1) {
      owned[node] = 1;
      colors[node] = branch % BRANCH_COLORS;
    }
  });
  return colors;
}

function add<T>(lists: Map<number, T[]>, key: number, value: T): void {
  if (key === -1) return;
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

export function roleText(role: GraphModel['roles'][number]): string {
  switch (role) {
    case 'start':
      return t('Beginning');
    case 'user':
      return t('You');
    case 'assistant':
      return t('Answer');
    case 'system':
      return t('System');
    case 'note':
      return t('Report');
    case 'hidden':
      return t('Change of state');
  }
}

export function spokenText(model: GraphModel, index: number, known: NodeDescription | undefined): string {
  const branches = (model.heads.get(index) ?? []).map(({ name, label = name, isActive }) =>
    isActive ? t('end of branch {0}, where the chat is', label) : t('end of branch {0}', label),
  );
  const checkpoints = (model.checkpoints.get(index) ?? []).map((name) => t('checkpoint {0}', name));
  const forks = countForks(model, index);
  return [
    roleText(model.roles[index] ?? 'hidden'),
    known?.label ?? '',
    statusText(known),
    ...branches,
    ...checkpoints,
    forks === 0 ? '' : forks === 1 ? t('1 branch begins here') : t('{0} branches begin here', forks),
    model.onActivePath[index] === 1 ? '' : t('not on the active path'),
  ]
    .filter((text) => text !== '')
    .join(', ');
}

export function statusText(known: NodeDescription | undefined): string {
  if (known?.status === 'failed') return t('failed');
  return known?.status === 'interrupted' ? t('interrupted') : '';
}

/** How many branches were made at a node, in addition to the one in its lane. */
function countForks({ layout }: GraphModel, index: number): number {
  let count = 0;
  const first = layout.successors[index] ?? -1;
  let child = first === -1 ? -1 : (layout.siblings[first] ?? -1);
  for (; child !== -1; child = layout.siblings[child] ?? -1) count += 1;
  return count;
}
