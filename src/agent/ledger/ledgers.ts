import {
  explorationBranches,
  explorationEventKinds,
  explorationTaskOf,
} from '../../engine/explorationTask.ts';
import type { BranchData, MessageData } from '../../engine/graph.ts';
import { findKept } from '../../engine/keptMessages.ts';
import { isUserTurn, pathSummaryOf } from '../../engine/pathSummary.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { compactionOf } from '../../engine/sentPath.ts';
import { readUIMessage, type FilePart, type UIMessage } from '../../engine/uiMessage.ts';
import { readDecidedFiles } from '../../files/decidedFiles.ts';
import { messageTranscript } from '../summaries/transcript.ts';
import { createLedger, type Ledger, type LedgerRoom } from './ledger.ts';
import { ledgerPart } from './ledgerPart.ts';
import { ledgerFacts, type LedgerFact } from './ledgerFacts.ts';
import type { KeptText } from './keptTexts.ts';
import { isReplacement, ledgerPlace, type LedgerEntry } from './ledgerPlace.ts';
import { fullText, unsentMessages } from './unsentMessages.ts';

/** The room where a summary recorded none, as those of earlier versions; and that of a task. */
const UNRECORDED: LedgerRoom = { facts: 1_000, kept: 2_000 };
const OF_TASK: LedgerRoom = { facts: 1_500, kept: 3_000 };

/** How many checkpoints and branches of the user are named, the newest. */
const MOST_POINTS = 20;

export interface SentLedger extends Ledger {
  /** The message that it is sent with: a summary, or a task. */
  readonly messageId: string;
  /** Pictures and PDFs of messages that are kept. */
  readonly files: readonly FilePart[];
}

export type LedgerStore = Pick<
  ReadonlyStore,
  | 'getPath'
  | 'getMessage'
  | 'getChat'
  | 'listCheckpoints'
  | 'listBranches'
  | 'listEvents'
  | 'listFileChanges'
  | 'findCommonAncestor'
>;

/** Everything about the path before a ledger that never changes. */
interface Covered {
  readonly facts: readonly LedgerFact[];
  /** Candidates for being kept always, and the nodes that checkpoints and branches may stand at. */
  readonly messages: readonly MessageData[];
  readonly room: LedgerRoom;
  /** Milliseconds since 1970; what was made later is not in it, so that it stays the same. */
  readonly until: number;
  readonly isForTask: boolean;
}

/**
 * Derives what a model is told of the messages that it is not sent: those that a summary stands for, and for a task,
 * those of the conversation that it comes from. Nothing of it is stored, and between two summaries it changes only
 * when the user marks a message, undoes edits, or renames or deletes a checkpoint or a branch.
 */
export class Ledgers {
  private readonly covered = new Map<string, Promise<Covered>>();

  constructor(private readonly store: LedgerStore) {}

  /**
   * @param messageId of the summary or the task that it goes with
   * @param headId the end of the path that is sent
   * @returns undefined if there is nothing to tell
   */
  async read(chatId: string, messageId: string, headId = messageId): Promise<SentLedger | undefined> {
    return this.create({ id: messageId, chatId }, await this.coveredBefore(chatId, messageId), headId);
  }

  /** The ledger of a summary of everything before the last question on a path. */
  async preview(chatId: string, headId: string, room: LedgerRoom): Promise<SentLedger | undefined> {
    const path = await this.store.getPath(chatId, headId);
    const before = path.slice(0, Math.max(0, path.findLastIndex(isUserTurn)));
    const messages = await fullText(this.store, before);
    const facts = messages.flatMap((each) => ledgerFacts(each));
    const covered = { facts, messages, room, until: Infinity, isForTask: false };
    return this.create({ id: headId, chatId }, covered, headId);
  }

  /** The path with its ledger. @param path as it is stored, before anything is left out of it */
  async into(chatId: string, path: readonly UIMessage[]): Promise<UIMessage[]> {
    const messageId = ledgerPlace(path.map(ledgerEntry));
    const ledger = messageId === undefined ? undefined : await this.read(chatId, messageId, path.at(-1)?.id);
    return ledger ? path.map((message) => withLedger(message, ledger)) : [...path];
  }

  /** Messages with the full text in place of the user's summaries; undefined if there is none among them. */
  async inFull(chatId: string, messages: readonly UIMessage[]): Promise<UIMessage[] | undefined> {
    if (!messages.some(isReplacement)) return undefined;
    const full: UIMessage[] = [];
    for (const message of messages) {
      const stored = isReplacement(message) ? await this.store.getMessage(chatId, message.id) : undefined;
      const text = stored ? await fullText(this.store, [stored]) : [];
      if (!stored) full.push(message);
      full.push(...text.flatMap(({ type, data }) => (type === 'message' ? (readUIMessage(data) ?? []) : [])));
    }
    return full.filter((message) => !compactionOf(message));
  }

  private async create(place: Place, covered: Covered, headId: string): Promise<SentLedger | undefined> {
    const { id: messageId, chatId } = place;
    const { facts, room, isForTask } = covered;
    const kept = await this.kept(chatId, covered.messages);
    const points = await this.points(place, covered);
    const hasChanges = facts.some(({ kind }) => kind === 'change');
    const decided = hasChanges ? await readDecidedFiles(this.store, chatId, headId) : [];
    const texts = kept.map(keptText);
    const ledger = createLedger({ facts, decided, points, kept: texts, room, isForTask });
    if (ledger.text === '') return undefined;
    return { ...ledger, messageId, files: kept.flatMap(filesOf) };
  }

  private coveredBefore(chatId: string, messageId: string): Promise<Covered> {
    const key = JSON.stringify([chatId, messageId]);
    const known = this.covered.get(key);
    if (known) return known;
    const reading = this.readCovered(chatId, messageId);
    // One at a time: a chat has one in force, and an earlier one is seldom asked for again.
    this.covered.clear();
    this.covered.set(key, reading);
    reading.catch(() => this.covered.delete(key));
    return reading;
  }

  private async readCovered(chatId: string, messageId: string): Promise<Covered> {
    const path = await this.store.getPath(chatId, messageId);
    const last = path.at(-1);
    const message = last && readUIMessage(last.data);
    const summary = message && pathSummaryOf(message);
    // Before a task nothing is sent.
    const messages = summary
      ? await unsentMessages(this.store, path)
      : await fullText(this.store, path.slice(0, -1));
    return {
      facts: messages.flatMap((each) => ledgerFacts(each)),
      messages,
      room: summary ? (summary.ledger ?? UNRECORDED) : OF_TASK,
      until: last?.createdAt ?? Infinity,
      isForTask: summary === undefined,
    };
  }

  private async kept(chatId: string, messages: readonly MessageData[]): Promise<UIMessage[]> {
    const chat = await this.store.getChat(chatId);
    const kept = chat && (await findKept(this.store, chat, messages));
    return messages.flatMap(({ id, data }) => (kept?.has(id) === true ? (readUIMessage(data) ?? []) : []));
  }

  /** The user's checkpoints on the path, and the branches that leave it there; those of tasks are told by their call. */
  private async points(
    { id, chatId }: Place,
    { messages, until, isForTask }: Pick<Covered, 'messages' | 'until' | 'isForTask'>,
  ): Promise<string[]> {
    const ids = new Set(messages.map((message) => message.id));
    const checkpoints = (await this.store.listCheckpoints(chatId)).filter(
      ({ messageId, createdAt }) => ids.has(messageId) && createdAt <= until,
    );
    const branches = isForTask ? [] : await this.branches({ id, chatId }, ids, until);
    return [
      ...checkpoints.map(({ createdAt, name }) => ({ createdAt, text: `The user’s checkpoint “${name}”` })),
      ...branches.map(({ createdAt, name }) => ({
        createdAt,
        text: `Branch ${name}, which went another way`,
      })),
    ]
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .slice(-MOST_POINTS)
      .map(({ text }) => text);
  }

  private async branches(
    { id, chatId }: Place,
    ids: ReadonlySet<string>,
    until: number,
  ): Promise<readonly BranchData[]> {
    const left = (await this.store.listBranches(chatId)).filter(
      ({ forkMessageId: fork, headMessageId: head, createdAt }) =>
        fork !== null && ids.has(fork) && fork !== head && createdAt <= until,
    );
    if (left.length === 0) return [];
    const tasks = explorationBranches(await this.store.listEvents(chatId, { kinds: explorationEventKinds }));
    const others: BranchData[] = [];
    for (const branch of left.slice(-MOST_POINTS)) {
      const { headMessageId: head, name } = branch;
      if (head === null || tasks.has(name)) continue;
      // A branch with this ledger on it did not go another way.
      if ((await this.store.findCommonAncestor(chatId, head, id))?.id !== id) others.push(branch);
    }
    return others;
  }
}

interface Place {
  readonly chatId: string;
  /** The message that the ledger goes with. */
  readonly id: string;
}

function ledgerEntry(message: UIMessage): LedgerEntry {
  return {
    id: message.id,
    compaction: compactionOf(message),
    isReplacement: isReplacement(message),
    isTask: message.role === 'user' && explorationTaskOf(message) !== undefined,
  };
}

/** After a summary, and before a task. */
export function withLedger(message: UIMessage, { messageId, text, files }: SentLedger): UIMessage {
  if (message.id !== messageId) return message;
  const part = ledgerPart(text);
  const isTask = explorationTaskOf(message) !== undefined;
  const { parts } = message;
  return { ...message, parts: isTask ? [part, ...files, ...parts] : [...parts, part, ...files] };
}

function keptText(message: UIMessage): KeptText {
  return { messageId: message.id, role: message.role, text: messageTranscript(message) };
}

function filesOf({ parts }: UIMessage): FilePart[] {
  return parts.filter((part): part is FilePart => part.type === 'file' && 'url' in part);
}
