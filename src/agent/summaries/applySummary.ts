import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import type { MessageEffects } from '../../engine/effects.ts';
import { MessageNotFoundError, OffshootError } from '../../engine/errors.ts';
import type { BranchData, LogEventKind, MessageData } from '../../engine/graph.ts';
import type { JsonObject } from '../../engine/json.ts';
import { pathSummaryMessage, type PathSummary } from '../../engine/pathSummary.ts';
import { storable } from '../../engine/storable.ts';
import type { ContextStore, NewMessage, SaveMessages } from '../../engine/store.ts';
import { combinedEffects, copies } from './copies.ts';
import { phrase } from '../../engine/phrase.ts';

/** Which part of a branch is summarised, to be replaced on a new one. */
export type SummaryExtent = 'up-to-here' | 'from-here';

/** A branch has nothing that could be taken. */
export class NothingToTakeError extends OffshootError {
  constructor(branch: string) {
    super(
      'nothing-to-take',
      phrase('Everything on branch “{0}” is on this branch as well. Choose another branch.', branch),
    );
  }
}

/** A part of a branch. */
export interface PathPart {
  /** What comes before it, root first. */
  readonly before: readonly MessageData[];
  readonly part: readonly MessageData[];
  readonly after: readonly MessageData[];
}

/** The messages up to one of a branch, or from it on. @throws MessageNotFoundError when it is not on the branch */
export async function partOf(
  store: ContextStore,
  branch: BranchData,
  messageId: string,
  extent: SummaryExtent,
): Promise<PathPart> {
  const path = branch.headMessageId === null ? [] : await store.getPath(branch.chatId, branch.headMessageId);
  const at = path.findIndex(({ id }) => id === messageId);
  if (at < 0) throw new MessageNotFoundError(messageId);
  return extent === 'up-to-here'
    ? { before: [], part: path.slice(0, at + 1), after: path.slice(at + 1) }
    : { before: path.slice(0, at), part: path.slice(at), after: [] };
}

export interface WrittenSummary {
  readonly text: string;
  /** The label of the model that wrote it; undefined: the person. */
  readonly model: string | undefined;
  /** The person changed what the model wrote. */
  readonly isEdited?: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Puts a summary in place of a part of a branch, on a new branch that becomes the active one: what comes after it
 * follows as copies. The branch itself stays as it is. State, artifacts and changed files at the new head are those of
 * the old one. One transaction.
 */
export async function replaceBySummary(
  store: ContextStore,
  branch: BranchData,
  { before, part, after }: PathPart,
  extent: SummaryExtent,
  written: WrittenSummary,
): Promise<BranchData> {
  const summary = summaryOf(extent, branch, part, written);
  return saveOnNewBranch(store, branch, {
    at: before.at(-1)?.id ?? null,
    messages: [summaryMessage(summary, combinedEffects(part)), ...copies(after, { withEffects: true })],
    event: { kind: 'summarised', details: eventDetails(summary) },
  });
}

/** What a branch has that another has not: everything after the point where they part. @throws NothingToTakeError */
export async function ownPart(
  store: ContextStore,
  source: BranchData,
  target: BranchData,
): Promise<readonly MessageData[]> {
  const { chatId } = source;
  const path = source.headMessageId === null ? [] : await store.getPath(chatId, source.headMessageId);
  const known = target.headMessageId === null ? [] : await store.getPath(chatId, target.headMessageId);
  const shared = path.findIndex(({ id }, index) => known[index]?.id !== id);
  const own = shared < 0 ? [] : path.slice(shared);
  if (own.length === 0) throw new NothingToTakeError(source.name);
  return own;
}

/** Adds a summary of another branch to a branch, on a new one that becomes the active one. One transaction. */
export async function bringBack(
  store: ContextStore,
  source: BranchData,
  target: BranchData,
  written: WrittenSummary,
): Promise<BranchData> {
  const summary = summaryOf('brought-back', source, await ownPart(store, source, target), written);
  return saveOnNewBranch(store, target, {
    at: target.headMessageId,
    messages: [summaryMessage(summary, undefined)],
    event: { kind: 'brought-back', details: eventDetails(summary) },
  });
}

/**
 * Adds a copy of one question and its answer to a branch, on a new one that becomes the active one. What the answer did
 * beside the conversation (notes, artifacts, files) stays where it was done. One transaction.
 */
export async function cherryPick(
  store: ContextStore,
  source: BranchData,
  questionId: string,
  target: BranchData,
): Promise<BranchData> {
  const path = source.headMessageId === null ? [] : await store.getPath(source.chatId, source.headMessageId);
  const turn = turnOf(path, questionId);
  return saveOnNewBranch(store, target, {
    at: target.headMessageId,
    messages: copies(turn, { withEffects: false }),
    event: {
      kind: 'cherry-picked',
      details: { from: source.name, messageIds: turn.map(({ id }) => id) },
    },
  });
}

/** A question, and what follows up to the next one. @throws MessageNotFoundError */
export function turnOf(path: readonly MessageData[], questionId: string): MessageData[] {
  const at = path.findIndex(({ id, name }) => id === questionId && name === 'user');
  if (at < 0) throw new MessageNotFoundError(questionId);
  const next = path.findIndex(({ name }, index) => index > at && name === 'user');
  // Nodes without words have nothing to say elsewhere.
  return path.slice(at, next < 0 ? undefined : next).filter(({ type }) => type === 'message');
}

function summaryOf(
  kind: PathSummary['kind'],
  branch: BranchData,
  part: readonly MessageData[],
  { text, model, isEdited = false, now }: WrittenSummary,
): PathSummary {
  const [first] = part;
  const last = part.at(-1);
  if (!first || !last) throw new NothingToTakeError(branch.name);
  return {
    kind,
    text,
    source: {
      branch: branch.name,
      headMessageId: branch.headMessageId,
      from: first.id,
      to: last.id,
      count: part.filter(({ type }) => type === 'message').length,
    },
    ...(model === undefined ? {} : { model, ...(isEdited ? { isEdited } : {}) }),
    writtenAt: new Date(now).toISOString(),
  };
}

function summaryMessage(summary: PathSummary, effects: MessageEffects | undefined): NewMessage {
  const id = crypto.randomUUID();
  return {
    id,
    name: BRANCH_SUMMARY,
    type: 'message',
    data: storable(pathSummaryMessage(id, summary), 'message'),
    invocationId: undefined,
    replaces: undefined,
    effects,
  };
}

function eventDetails({ kind, source: { branch, headMessageId, count } }: PathSummary): JsonObject {
  return { summary: kind, from: branch, headMessageId, count };
}

async function saveOnNewBranch(
  store: ContextStore,
  { chatId, name, headMessageId }: BranchData,
  {
    at,
    messages,
    event,
  }: {
    readonly at: string | null;
    readonly messages: readonly NewMessage[];
    readonly event: { readonly kind: LogEventKind; readonly details: JsonObject };
  },
): Promise<BranchData> {
  const request: SaveMessages = {
    chatId,
    branch: name,
    expectedHead: headMessageId,
    onHeadConflict: 'fork',
    newBranchAt: { messageId: at, why: event.kind === 'cherry-picked' ? 'copy' : 'summary' },
    activate: true,
    messages,
    shared: { user: new Map(), app: new Map(), userId: '', artifacts: [] },
    // Where one was, for those who want to go back.
    event: { ...event, details: { ...event.details, left: name } },
  };
  return (await store.saveMessages(request)).branch;
}
