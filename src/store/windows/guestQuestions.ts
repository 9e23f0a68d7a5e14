import { OffshootError } from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import type { Disposable } from '../../base/disposable.ts';
import * as protocol from './channelProtocol.ts';
import { toWireError } from './wireErrors.ts';

/** A request by a program without a window. The user decides on it in the window of the writing process. */
export interface Question {
  readonly name: string;
  /** JSON, unchecked. */
  readonly given: unknown;
  /** Aborted when the program cancels the question or disconnects. */
  readonly signal: AbortSignal;
}

/** Shows a question to the user, and does what they allow. @returns JSON */
export type AnswerQuestion = (question: Question) => Promise<unknown>;

/** The maximum number of open questions of one guest: a user cannot answer more. */
const MAX_OPEN = 5;

export class GuestQuestions implements Disposable {
  private readonly open = new Map<number, AbortController>();

  constructor(
    private readonly answer: AnswerQuestion | undefined,
    private readonly send: (message: Uint8Array) => void,
  ) {}

  /** @returns false for anything that is not a message of a guest */
  take(message: Uint8Array): boolean {
    const decoded = protocol.decode(protocol.fromGuest, message);
    if (!decoded) return false;
    const { number } = decoded;
    if (decoded.kind === 'withdraw') this.open.get(number)?.abort();
    // A number that is in use would get two answers.
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

class CannotAskError extends OffshootError {
  constructor() {
    super(
      'cannot-ask',
      defineMessage('The program that writes these conversations has no window to ask in.'),
    );
  }
}

class TooManyQuestionsError extends OffshootError {
  constructor() {
    super(
      'too-many-questions',
      defineMessage('{0} questions are waiting for the user already. Wait for their answers.', MAX_OPEN),
    );
  }
}
