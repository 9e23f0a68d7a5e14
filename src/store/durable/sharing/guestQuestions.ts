import { OffshootError } from '../../../engine/errors.ts';
import { defineMessage } from '../../../engine/messageDescriptor.ts';
import type { Disposable } from '../../../kit/disposable.ts';
import * as protocol from './channelProtocol.ts';
import { toWireError } from './wireErrors.ts';

/** What a program without a window asks for. The user decides it, in the window of the process that writes. */
export interface Question {
  readonly name: string;
  /** JSON, unchecked. */
  readonly given: unknown;
  /** Whoever asked wants no answer any more, or is gone. */
  readonly signal: AbortSignal;
}

/** Puts a question to the user, and does what they allow. @returns JSON */
export type AnswerQuestion = (question: Question) => Promise<unknown>;

/** How many questions of one guest may be open: a user can't answer more. */
const MAX_OPEN = 5;

/** The questions of one guest, while it is connected. */
export class GuestQuestions implements Disposable {
  private readonly open = new Map<number, AbortController>();

  constructor(
    private readonly answer: AnswerQuestion | undefined,
    private readonly send: (message: Uint8Array) => void,
  ) {}

  /** @returns false for what is no message of a guest */
  take(message: Uint8Array): boolean {
    const decoded = protocol.decode(protocol.fromGuest, message);
    if (!decoded) return false;
    const { number } = decoded;
    if (decoded.kind === 'withdraw') this.open.get(number)?.abort();
    // A number that is taken would have two answers.
    else if (this.open.has(number)) return false;
    else void this.ask(number, decoded.name, decoded.given);
    return true;
  }

  dispose(): void {
    for (const each of this.open.values()) each.abort();
    this.open.clear();
  }

  private async ask(number: number, name: string, given: unknown): Promise<void> {
    try {
      const { answer } = this;
      if (!answer) throw new CannotAskError();
      if (this.open.size >= MAX_OPEN) throw new TooManyQuestionsError();
      const control = new AbortController();
      this.open.set(number, control);
      const result = await answer({ name, given, signal: control.signal });
      this.send(protocol.encode({ kind: 'answered', number, result: result ?? null }));
    } catch (error) {
      this.send(protocol.encode({ kind: 'failed', number, error: toWireError(error) }));
    } finally {
      this.open.delete(number);
    }
  }
}

/** The process that writes has no window. */
class CannotAskError extends OffshootError {
  constructor() {
    super(
      'cannot-ask',
      defineMessage('The program that writes these conversations has no window to ask in.'),
    );
  }
}

/** More is asked than a user can answer. */
class TooManyQuestionsError extends OffshootError {
  constructor() {
    super(
      'too-many-questions',
      defineMessage('{0} questions are waiting for the user already. Wait for their answers.', MAX_OPEN),
    );
  }
}
