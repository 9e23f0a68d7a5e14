import type { LanguageModelV4CallOptions, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { Sequencer } from '../../base/sequencer.ts';
import type { Scheduler } from '../../base/scheduler.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { ChatModel, OpenedModel } from '../../models/chatModel.ts';
import { networkCode } from '../../models/errors/describeModelError.ts';
import { failedRequest } from '../../models/errors/failedRequest.ts';
import { changedStream } from '../../models/requests/changedStream.ts';
import { usageCost } from '../run/runUsage.ts';
import type { AnswerOutcome } from '../run/endOfAnswer.ts';
import { readCaps, type Scope, type ScopedCap } from './budgetCaps.ts';
import { BudgetReachedError, cutOffByBudget, PriceUnknownError, type ReachedCap } from './budgetErrors.ts';
import { affordableOutput, amountOf, Quotes, type Amount, type Quote } from './quote.ts';
import type { SpendingJournal, Spent } from './spendingJournal.ts';
import { dayOf, type SpendingRequest, type Spends, type SpentFor } from './spends.ts';
import type { StoredSpending } from './storedSpending.ts';

export interface BudgetOptions {
  /** The setting, read before each request. */
  readonly setting: () => unknown;
  readonly journal: SpendingJournal;
  readonly stored: Pick<StoredSpending, 'of'>;
  readonly scheduler: Scheduler;
}

/** A request that may be sent. */
interface Reservation {
  readonly id: string;
  readonly quote: Quote;
  readonly amount: Amount;
  /** The most it may write, where that has to be sent. */
  readonly outputLimit: number | undefined;
  readonly isLowered: boolean;
}

interface Refused {
  readonly reached: Error;
  /** The requests of this window, or of others, that are in the way. */
  readonly waitsFor?: 'own' | 'foreign';
}

/** An answer with less room than this, in tokens, is not worth its request. */
const LEAST_OUTPUT = 2_000;

/** How often, and how long, in milliseconds, a request waits for one of another window. */
const FOREIGN_TRIES = 8;
const FOREIGN_WAIT = 250;

/**
 * Holds what is spent on models below the caps of the user. Each request is reserved with the most it can take before
 * it is sent, so that requests at the same time cannot pass a cap together, and counts with what its server counted
 * afterwards: with the estimate if that counts nothing, and with all that was reserved if the answer broke off.
 */
export class Budget {
  private readonly quotes = new Quotes();
  private readonly deciding = new Sequencer();
  /** What was spent before the journal began, by the key of a scope. */
  private readonly before = new Map<string, Amount>();
  private isCapped = false;
  private settled = Promise.withResolvers<undefined>();

  constructor(private readonly options: BudgetOptions) {}

  for(spentFor: SpentFor): Spends {
    return { begin: (model, signal) => new GuardedRequest(this, spentFor, model, signal) };
  }

  /** What is left of each cap. @throws BudgetUnreadableError */
  async left(spentFor: SpentFor): Promise<readonly (ScopedCap & { readonly spent: Amount })[]> {
    const caps = this.caps();
    if (caps.length === 0) return [];
    return this.deciding.run(async () => {
      await this.options.journal.read();
      const found = [];
      for (const cap of caps) {
        // Before a question is asked, nothing was spent on it.
        const isNew = cap.scope === 'perMessage' && spentFor.messageId === undefined;
        const spent = isNew ? { dollars: 0, tokens: 0 } : await this.spent(cap.scope, spentFor);
        found.push({ ...cap, spent });
      }
      return found;
    });
  }

  /**
   * Waits for requests at the same time if only they are in the way.
   * @returns undefined if there are no caps
   * @throws BudgetReachedError, PriceUnknownError, BudgetUnreadableError, and the reason of the signal
   */
  async reserve(
    spentFor: SpentFor,
    model: ChatModel,
    params: LanguageModelV4CallOptions,
    signal: AbortSignal,
  ): Promise<Reservation | undefined> {
    if (this.caps().length === 0) return undefined;
    const quote = await this.quotes.of(model, params);
    for (let foreign = 0; ;) {
      signal.throwIfAborted();
      const { promise: settled } = this.settled;
      const isPatient = foreign < FOREIGN_TRIES;
      const decided = await this.deciding.run(() => this.decide(spentFor, quote, isPatient));
      if (!('reached' in decided)) return decided;
      if (decided.waitsFor === 'own') await untilAborted(signal, () => settled);
      else if (decided.waitsFor === 'foreign') {
        foreign += 1;
        // Not at the same time as the other window again.
        await untilAborted(signal, () => this.pause(FOREIGN_WAIT * (0.5 + Math.random())));
      } else if (spentFor.beyond?.take()) return this.take(spentFor, quote, quote.outputLimit);
      else throw decided.reached;
    }
  }

  /** @param taken undefined: all that was reserved */
  async settle({ id, amount }: Reservation, taken: Amount | undefined): Promise<void> {
    const written = this.options.journal.settle(id, taken ?? amount);
    const { resolve } = this.settled;
    this.settled = Promise.withResolvers<undefined>();
    resolve(undefined);
    await written;
  }

  /** What an answer took whose server may have counted it. */
  async taken({ quote }: Reservation, { usage, cost }: AnswerOutcome, received: string): Promise<Amount> {
    const { model } = quote;
    const {
      inputTokens = quote.inputTokens,
      outputTokens = await this.quotes.text(model, received),
      ...rest
    } = usage ?? {};
    if (usage?.inputTokens !== undefined) this.quotes.learn(model, quote.inputTokens, usage.inputTokens);
    const dollars = cost ?? (usage ? usageCost({ ...rest, inputTokens, outputTokens }, model) : undefined);
    const estimate = amountOf(quote, outputTokens);
    return { tokens: inputTokens + outputTokens, dollars: dollars ?? estimate.dollars };
  }

  private caps(): readonly ScopedCap[] {
    const caps = readCaps(this.options.setting());
    // While there are no caps, nothing is noted.
    if (caps.length > 0 && !this.isCapped) this.before.clear();
    this.isCapped = caps.length > 0;
    return caps;
  }

  /** @param isPatient other windows may settle soon; a window that is gone never does */
  private async decide(spentFor: SpentFor, quote: Quote, isPatient: boolean): Promise<Reservation | Refused> {
    const { journal } = this.options;
    await journal.read();
    const caps = this.caps();
    const found = await this.fit(caps, spentFor, quote, { isPatient });
    if (typeof found !== 'number') return found;
    const reservation = await this.take(spentFor, quote, found);
    // Another window may have decided at the same time: of the two, at least one sees the other's here.
    await journal.read();
    const again = await this.fit(caps, spentFor, quote, { isPatient, own: reservation });
    if (typeof again === 'number') return reservation;
    await journal.settle(reservation.id, { dollars: 0, tokens: 0 });
    return again;
  }

  /** @returns how much may be written @param own already reserved, with so much output */
  private async fit(
    caps: readonly ScopedCap[],
    spentFor: SpentFor,
    quote: Quote,
    { own, isPatient }: { readonly own?: Reservation; readonly isPatient: boolean },
  ): Promise<number | Refused> {
    const wanted = own?.outputLimit ?? quote.outputLimit;
    const least = own || !quote.canLower ? wanted : Math.min(wanted, LEAST_OUTPUT);
    let output = wanted;
    for (const cap of caps) {
      const spent = await this.spent(cap.scope, spentFor, own?.id);
      const most = amountOf(quote, wanted);
      if (most.dollars === undefined && cap.dollars !== undefined && cap.tokens === undefined) {
        const { scope, dollars } = cap;
        return { reached: new PriceUnknownError(quote.model.label, most.tokens, { scope, cap: dollars }) };
      }
      const reached = reachedCap(cap, spent, most);
      if (!reached) continue;
      const pending = this.pendingIn(cap.scope, spentFor, own?.id);
      const waitsFor = pending === 'foreign' && !isPatient ? undefined : pending;
      const left = {
        dollars: cap.dollars === undefined ? undefined : cap.dollars - (spent.dollars ?? 0),
        tokens: cap.tokens === undefined ? undefined : cap.tokens - spent.tokens,
      };
      const affordable = affordableOutput(quote, left);
      if (waitsFor !== undefined || affordable < least)
        return { reached: new BudgetReachedError(reached), ...(waitsFor ? { waitsFor } : {}) };
      output = Math.min(output, affordable);
    }
    return output;
  }

  private async take(spentFor: SpentFor, quote: Quote, output: number): Promise<Reservation> {
    const { journal, scheduler } = this.options;
    const { chatId, branchId, messageId } = spentFor;
    const id = crypto.randomUUID();
    const amount = amountOf(quote, output);
    const isLowered = output < quote.outputLimit;
    await journal.reserve({
      id,
      at: scheduler.now(),
      chatId,
      ...(branchId === undefined ? {} : { branchId }),
      ...(messageId === undefined ? {} : { messageId }),
      amount,
    });
    return { id, quote, amount, outputLimit: isLowered || quote.isAssumed ? output : undefined, isLowered };
  }

  private async spent(scope: Scope, spentFor: SpentFor, except?: string): Promise<Amount> {
    const key = keyOf(scope, spentFor, this.options.scheduler.now());
    let [dollars, tokens] = [0, 0];
    for (const entry of this.options.journal.entries) {
      if (entry.id === except || keyOf(scope, entry, entry.at) !== key) continue;
      dollars += entry.amount.dollars ?? 0;
      tokens += entry.amount.tokens;
    }
    const before = await this.spentBefore(key, scope, spentFor, { dollars, tokens });
    return { dollars: dollars + (before.dollars ?? 0), tokens: tokens + before.tokens };
  }

  /** What stored answers took and the journal does not know: they were written while there were no caps. */
  private async spentBefore(key: string, scope: Scope, spentFor: SpentFor, noted: Amount): Promise<Amount> {
    const known = this.before.get(key);
    if (known) return known;
    const stored = await this.options.stored.of(scope, spentFor, this.options.scheduler.now());
    const before = {
      dollars: Math.max(0, (stored.dollars ?? 0) - (noted.dollars ?? 0)),
      tokens: Math.max(0, stored.tokens - noted.tokens),
    };
    this.before.set(key, before);
    return before;
  }

  private pendingIn(scope: Scope, spentFor: SpentFor, except?: string): 'own' | 'foreign' | undefined {
    const key = keyOf(scope, spentFor, this.options.scheduler.now());
    const pending = [...this.options.journal.entries].filter(
      (entry: Spent) => entry.isPending && entry.id !== except && keyOf(scope, entry, entry.at) === key,
    );
    if (pending.some(({ isOwn }) => isOwn)) return 'own';
    return pending.length > 0 ? 'foreign' : undefined;
  }

  private pause(delay: number): Promise<void> {
    return new Promise((resolve) => this.options.scheduler.after(delay, resolve));
  }
}

/** Equal for what counts together. */
function keyOf(scope: Scope, { chatId, branchId, messageId }: SpentFor, at: number): string {
  switch (scope) {
    case 'perMessage':
      return JSON.stringify([scope, chatId, messageId]);
    case 'perBranch':
      return JSON.stringify([scope, chatId, branchId]);
    case 'perChat':
      return JSON.stringify([scope, chatId]);
    case 'perDay':
      return JSON.stringify([scope, dayOf(at)]);
  }
}

function reachedCap(cap: ScopedCap, spent: Amount, most: Amount): ReachedCap | undefined {
  const { scope } = cap;
  for (const unit of ['dollars', 'tokens'] as const) {
    const limit = cap[unit];
    const taken = spent[unit] ?? 0;
    const more = most[unit] ?? 0;
    if (limit !== undefined && taken + more > limit)
      return { scope, unit, cap: limit, left: limit - taken, most: more };
  }
  return undefined;
}

/** A refused request costs nothing, nor one that reached no server; of one that broke off nobody knows. */
function isFree(error: unknown): boolean {
  return (failedRequest(error)?.status ?? 0) >= 400 || NOT_REACHED.test(networkCode(error) ?? '');
}

const NOT_REACHED =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT/u;

const PIECES: ReadonlySet<string> = new Set(['text-delta', 'reasoning-delta', 'tool-input-delta']);

class GuardedRequest implements SpendingRequest {
  private open: Reservation | undefined;
  private received = '';
  private isFinished = false;

  constructor(
    private readonly budget: Budget,
    private readonly spentFor: SpentFor,
    private readonly model: ChatModel,
    private readonly signal: AbortSignal,
  ) {}

  guard(model: OpenedModel): OpenedModel {
    return wrapLanguageModel({
      model,
      middleware: {
        specificationVersion: 'v4',
        wrapStream: async ({ params, ...rest }) => {
          const { budget, spentFor, signal } = this;
          // The last attempt broke off.
          await this.release(undefined);
          const reservation = await budget.reserve(spentFor, this.model, params, signal);
          if (!reservation) return rest.doStream();
          this.open = reservation;
          this.received = '';
          this.isFinished = false;
          const { outputLimit: maxOutputTokens } = reservation;
          const doStream = async (): Promise<LanguageModelV4StreamResult> => {
            try {
              return await model.doStream({
                ...params,
                ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
              });
            } catch (error) {
              await this.failed(error);
              throw error;
            }
          };
          return this.watched({ ...rest, params, doStream });
        },
      },
    });
  }

  async end(outcome: AnswerOutcome): Promise<AnswerOutcome> {
    const { open } = this;
    if (!open) return outcome;
    const isCounted = outcome.usage !== undefined || (this.isFinished && outcome.status === 'complete');
    await this.release(isCounted ? await this.budget.taken(open, outcome, this.received) : undefined);
    const isCutOff = open.isLowered && outcome.error?.code === 'output-limit';
    return isCutOff ? { ...outcome, error: cutOffByBudget(this.model.label) } : outcome;
  }

  private readonly watched = changedStream(() => ({
    transform: async (part, controller) => {
      if (part.type === 'error') await this.failed(part.error);
      else if (part.type === 'finish') this.isFinished = true;
      else if (PIECES.has(part.type) && 'delta' in part) this.received += part.delta;
      else if (part.type === 'tool-call') this.received += part.input;
      controller.enqueue(part);
    },
  }));

  private async failed(error: unknown): Promise<void> {
    if (this.received === '' && isFree(error)) await this.release({ dollars: 0, tokens: 0 });
  }

  private async release(taken: Amount | undefined): Promise<void> {
    const { open } = this;
    this.open = undefined;
    if (open) await this.budget.settle(open, taken);
  }
}
