import { BRANCH_SUMMARY } from '../../engine/branchSummary.ts';
import { foldEffects, type MessageEffects, type PathEffects } from '../../engine/effects.ts';
import type { Disposable } from '../../base/disposable.ts';
import { explorationTaskOf } from '../../engine/explorationTask.ts';
import type { MessageData } from '../../engine/graph.ts';
import { PathFold, type PathStep, type PathStore } from '../../engine/pathFold.ts';
import { compactionOf, sentIndexes, type Compaction } from '../../engine/sentPath.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { instructionsIn, type SentInstructions } from '../attachments/addedParts.ts';
import type { Ledgers, LedgerStore, SentLedger } from '../ledger/ledgers.ts';
import { isReplacement, ledgerPlace } from '../ledger/ledgerPlace.ts';
import { plainText } from './plainText.ts';
import { isNoticeMessage } from '../../engine/pathSummary.ts';
import { sentText } from './sentText.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { TextTokens } from './textTokens.ts';

export interface MessageTokens {
  readonly id: string;
  /** `user`, `assistant`, … */
  readonly name: string;
  /** True for a report or a summary, which is not a question. */
  readonly isNotice?: true;
  readonly beginning: string;
  readonly tokens: number;
  /** Pictures and other files, which are not counted. */
  readonly files: number;
  /** Project instructions sent with it, counted with it. */
  readonly instructions: readonly (SentInstructions & { readonly tokens: number })[];
  /** In the PDFs sent with it. */
  readonly pages: number;
}

export interface PathContext {
  readonly messages: readonly MessageTokens[];
  /** What the model is told of messages that it is not sent; counted with the others, and on top of its message. */
  readonly ledger: (SentLedger & { readonly tokens: number }) | undefined;
  readonly tokens: number;
  /** In all PDFs; their token count depends on the model. */
  readonly pages: number;
  readonly effects: PathEffects;
}

interface Counted {
  readonly counted: MessageTokens;
  /** True for a task: nothing before the last one is sent. */
  readonly isTask: boolean;
}

/** A message on the path, or another node. */
interface Step extends PathStep {
  /** Undefined if it is not sent to models. */
  readonly counted: MessageTokens | undefined;
  readonly isTask: boolean;
  readonly isReplacement: boolean;
  readonly compaction: Compaction | undefined;
  readonly effects: MessageEffects | undefined;
}

/** How much of a message's text is kept to identify it, in UTF-16 units. */
const BEGINNING = 200;

/** Messages whose count is cached; older ones are counted again. */
const MAX_COUNTED = 50_000;

/**
 * Reads the context on the path to a head. Growth costs only what was added, and a switch only what the two branches
 * do not share. A message is counted once, however many branches contain it.
 */
export class PathContextReader implements Disposable {
  private readonly counted = new Map<string, Counted>();
  private readonly fold: PathFold<Step>;
  private ledgers: Ledgers | undefined;

  constructor(
    private readonly store: PathStore & LedgerStore,
    private readonly tokens: TextTokens,
  ) {
    this.fold = new PathFold(store, async (message) => ({
      id: message.id,
      counted: undefined,
      isTask: false,
      ...(await this.count(message)),
      ...summaryOfStored(message),
      effects: message.effects,
    }));
  }

  /** One at a time: each begins where the previous one ended. */
  async read(chatId: string, headId: string | null): Promise<PathContext> {
    const steps = await this.fold.read(chatId, headId);
    const task = steps.findLastIndex(({ isTask }) => isTask);
    const own = task <= 0 ? steps : steps.slice(task);
    const messages = sentIndexes(own).flatMap((index) => own[index]?.counted ?? []);
    const ledger = await this.readLedger(chatId, ledgerPlace(own), headId ?? undefined);
    return {
      messages,
      ledger,
      tokens: messages.reduce((sum, { tokens }) => sum + tokens, ledger?.tokens ?? 0),
      pages: messages.reduce((sum, { pages }) => sum + pages, 0),
      effects: foldEffects(steps),
    };
  }

  dispose(): void {
    this.fold.dispose();
  }

  /** What the ledger would hold if everything before the last question were summarized. */
  async previewLedger(
    chatId: string,
    headId: string,
    window: number | undefined,
  ): Promise<Ledger | undefined> {
    const { ledgerRoom, SUPPOSED_WINDOW } = await import('../withSdk.ts');
    const ledgers = await this.loadLedgers();
    return ledgers.preview(chatId, headId, ledgerRoom(window ?? SUPPOSED_WINDOW));
  }

  /** Most conversations have none. */
  private async loadLedgers(): Promise<Ledgers> {
    this.ledgers ??= new (await import('../withSdk.ts')).Ledgers(this.store);
    return this.ledgers;
  }

  private async readLedger(
    chatId: string,
    messageId: string | undefined,
    headId: string | undefined,
  ): Promise<PathContext['ledger']> {
    if (messageId === undefined) return undefined;
    const ledger = await (await this.loadLedgers()).read(chatId, messageId, headId);
    return ledger && { ...ledger, tokens: await this.tokens.count(ledger.text) };
  }

  private async count({ id, chatId, type, data, createdAt }: MessageData): Promise<Counted | undefined> {
    // An id may be reused for another message after its message is deleted.
    const key = JSON.stringify([chatId, id, createdAt]);
    const known = this.counted.get(key);
    if (known) return known;
    const read = type === 'message' ? readUIMessage(data) : undefined;
    if (!read) return undefined;
    const { text, files, pages } = sentText(read);
    const instructions = [];
    for (const { text: sent, ...each } of instructionsIn(read))
      instructions.push({ ...each, tokens: await this.tokens.count(sent) });
    const counted = {
      counted: {
        id,
        name: read.role,
        ...(isNoticeMessage(read) ? { isNotice: true as const } : {}),
        beginning: plainText(read).slice(0, BEGINNING),
        tokens: await this.tokens.count(text),
        files,
        instructions,
        pages,
      },
      isTask: read.role === 'user' && explorationTaskOf(read) !== undefined,
    };
    this.counted.set(key, counted);
    const oldest = this.counted.keys().next();
    if (this.counted.size > MAX_COUNTED && oldest.done !== true) this.counted.delete(oldest.value);
    return counted;
  }
}

function summaryOfStored({ name, data }: MessageData): Pick<Step, 'compaction' | 'isReplacement'> {
  const read = name === BRANCH_SUMMARY ? readUIMessage(data) : undefined;
  return {
    compaction: read && compactionOf(read),
    isReplacement: read !== undefined && isReplacement(read),
  };
}
