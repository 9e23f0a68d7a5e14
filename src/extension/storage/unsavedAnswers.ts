import type * as vscode from 'vscode';
import { z } from 'zod';
import type { AnswerKeeper } from '../../agent/run/recoverAnswers.ts';
import type { NewDraft } from '../../engine/store.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { UNSAVED_ANSWERS } from './keepUnsaved.ts';

const keptAnswers = z.array(
  z.object({ place: z.string(), chatId: z.string(), branch: z.string(), message: z.unknown() }),
);

export class UnsavedAnswers implements AnswerKeeper {
  /** @param place the store that they belong to */
  constructor(
    private readonly memory: vscode.Memento,
    private readonly place: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  list(): NewDraft[] {
    return this.all().flatMap(({ place, chatId, branch, message: stored }) => {
      const message = place === this.place ? readUIMessage(stored) : undefined;
      return message ? [{ chatId, branch, message }] : [];
    });
  }

  keep({ chatId, branch, message }: NewDraft): void {
    this.write([...this.without(message.id), { place: this.place, chatId, branch, message }]);
  }

  forget(messageId: string): void {
    const left = this.without(messageId);
    if (left.length < this.all().length) this.write(left);
  }

  private all(): z.infer<typeof keptAnswers> {
    return keptAnswers.safeParse(this.memory.get(UNSAVED_ANSWERS)).data ?? [];
  }

  private without(messageId: string): z.infer<typeof keptAnswers> {
    return this.all().filter(({ message }) => readUIMessage(message)?.id !== messageId);
  }

  private write(answers: z.infer<typeof keptAnswers>): void {
    this.memory
      .update(UNSAVED_ANSWERS, answers.length > 0 ? answers : undefined)
      .then(undefined, this.onError);
  }
}
