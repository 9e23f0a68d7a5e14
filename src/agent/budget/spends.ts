import type { AnswerOutcome } from '../run/endOfAnswer.ts';
import type { ChatModel, OpenedModel } from '../../models/chatModel.ts';

/** What a request is made for: its tokens count for each of these, and for the day. */
export interface SpentFor {
  readonly chatId: string;
  /** A branch by its permanent id. */
  readonly branchId?: string | undefined;
  /** The question that is being answered. */
  readonly messageId?: string | undefined;
  /** Lets requests beyond a cap through, as far as the user allowed it. */
  readonly beyond?: BeyondCap | undefined;
}

/** What the user allows with “Continue Once”: one request. */
export class BeyondCap {
  private left = 1;

  /** False once it is used up. */
  take(): boolean {
    this.left -= 1;
    return this.left >= 0;
  }
}

/** Asks the budget before each request for one purpose. */
export interface Spends {
  begin(model: ChatModel, signal: AbortSignal): SpendingRequest;
}

/** One request to a model, with its retries. */
export interface SpendingRequest {
  /** Each request of this model is reserved before it is sent; beyond a cap, it is refused with a `BudgetError`. */
  guard(model: OpenedModel): OpenedModel;
  /** Replaces what was reserved by what the server counted. */
  end(outcome: AnswerOutcome): Promise<AnswerOutcome>;
}

/** `2026-11-26`, by the clock of this machine. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
