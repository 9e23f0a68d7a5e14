import { BRANCH_COLOURS } from '../../protocol/branchColours.ts';
import type { GraphBranch, GraphChanged, GraphRole } from '../../protocol/graphFromHost.ts';
import { layOut, pathTo, type GraphLayout } from './layout.ts';

/** A node as it is drawn; the one with an empty id stands before the first messages, where there are several. */
export interface GraphModel {
  readonly chat: GraphChanged['chat'];
  readonly ids: readonly string[];
  readonly roles: readonly (GraphRole | 'start')[];
  readonly layout: GraphLayout;
  readonly indexOf: ReadonlyMap<string, number>;
  /** The branches that end at a node. */
  readonly heads: ReadonlyMap<number, readonly GraphBranch[]>;
  readonly checkpoints: ReadonlyMap<number, readonly string[]>;
  /** One for each node: whether it stands on the way to where one is. */
  readonly onActivePath: Uint8Array;
  /** One for each node: the colour of the branch it was said on, as the chat has it. */
  readonly colours: Uint8Array;
  /** Where one is; -1 before the first message. */
  readonly activeHead: number;
  readonly isReadOnly: boolean;
  readonly branchCount: number;
}

/** What was received of the messages so far. */
export interface GraphData {
  readonly chat: GraphChanged['chat'];
  readonly ids: readonly string[];
  readonly parents: readonly number[];
  readonly roles: readonly GraphRole[];
  readonly branches: GraphChanged['branches'];
  readonly checkpoints: GraphChanged['checkpoints'];
  readonly isReadOnly: boolean;
}

/** What is known once the host has sent more; undefined when something before that is missing. */
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

/** The picture of it. Takes time linear in the number of messages. */
export function modelOf(data: GraphData): GraphModel {
  const roots = data.parents.filter((parent) => parent === -1).length;
  const isEmptyBranch = ({ headMessageId, isArchived }: GraphBranch): boolean =>
    headMessageId === null && !isArchived;
  // Several beginnings, or none on some branch: they begin at one place.
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
    colours: coloursOf(
      layout,
      data.branches.map(({ headMessageId }) => place(headMessageId)),
    ),
    activeHead,
    isReadOnly: data.isReadOnly,
    branchCount: data.branches.filter(({ isArchived }) => !isArchived).length,
  };
}

/** Whether a node is there for tasks alone: what went on from where they began keeps its lane. */
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

/**
 * The colour of each node: a message was said on the oldest branch that leads to it.
 * @param heads of the branches, oldest first; -1: none
 */
export function coloursOf({ count, parents }: GraphLayout, heads: readonly number[]): Uint8Array {
  const colours = new Uint8Array(count);
  const owned = new Uint8Array(count);
  heads.forEach((head, branch) => {
    for (let node = head; node !== -1 && owned[node] === 0; node = parents[node] ?? -1) {
      owned[node] = 1;
      colours[node] = branch % BRANCH_COLOURS;
    }
  });
  return colours;
}

function add<T>(lists: Map<number, T[]>, key: number, value: T): void {
  if (key === -1) return;
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
