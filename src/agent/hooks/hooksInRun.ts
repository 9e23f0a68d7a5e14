import { createNotice, type Notice } from '../../models/errors/notice.ts';
import { OffshootError } from '../../engine/errors.ts';
import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { UIMessage, UIMessagePart } from '../../engine/uiMessage.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { RunHooks, SaidByHook } from './runHooks.ts';
import { textForModel } from './textForModel.ts';

/** What a hook kept from happening. */
export class HookBlockedError extends OffshootError {
  constructor(said: SaidByHook) {
    super('blocked-by-hook', blockedText(said));
  }
}

function blockedText({ by, text }: SaidByHook): MessageDescriptor {
  return text === ''
    ? defineMessage('Blocked by a hook of {0}.', by)
    : defineMessage('Blocked by a hook of {0}: {1}', by, text);
}

/** Why an answer ends: a hook said so. */
export function stoppedNotice({ by, text }: SaidByHook): Notice {
  return createNotice(
    'stopped-by-hook',
    text === ''
      ? defineMessage('Stopped by a hook of {0}.', by)
      : defineMessage('Stopped by a hook of {0}: {1}', by, text),
  );
}

/** What the model is told that a hook keeps from ending. */
export function keptReminder(said: SaidByHook): string {
  const reason = said.text === '' ? 'It gives no reason.' : said.text;
  return `<system-reminder>\n${textForModel({ ...said, text: reason })}\n\nContinue the work as far as this asks for it.\n</system-reminder>`;
}

export function keptNotice({ by, text }: SaidByHook): Notice {
  return createNotice(
    'kept-by-hook',
    text === ''
      ? defineMessage('A hook of {0} had the model go on.', by)
      : defineMessage('A hook of {0} had the model go on: {1}', by, text),
  );
}

/** What hooks have to say to a question before it is sent. */
export interface AskedPrompt {
  readonly text: string;
  /** It is the first of the conversation, or the first in this window. */
  readonly begins: 'startup' | 'resume' | undefined;
}

/** @returns what hooks add for the model @throws HookBlockedError */
export async function promptParts(
  hooks: RunHooks,
  { text, begins }: AskedPrompt,
  signal: AbortSignal,
): Promise<UIMessagePart[]> {
  const begun =
    begins === undefined
      ? undefined
      : await hooks.fire({ event: 'SessionStart', source: begins, prompt: text }, signal);
  const asked = await hooks.fire({ event: 'UserPromptSubmit', prompt: text }, signal);
  const refused = begun?.stops ?? asked.denied ?? asked.stops;
  if (refused) throw new HookBlockedError(refused);
  return [...(begun?.contexts ?? []), ...asked.contexts].flatMap(hooks.asParts);
}

/** The questions that are asked in this window where there are hooks. */
export class HookedQuestions implements Disposable {
  /** The chats of which hooks have heard. */
  private readonly begun = new Set<string>();
  private readonly closing = new AbortController();

  /**
   * @param text undefined: a stored question is answered again, of which hooks have heard
   * @param path what was said before
   * @returns what hooks add for the model @throws HookBlockedError
   */
  async partsOf(
    hooks: RunHooks,
    {
      chatId,
      text,
      path,
    }: {
      readonly chatId: string;
      readonly text: string | undefined;
      readonly path: readonly UIMessage[];
    },
  ): Promise<UIMessagePart[]> {
    if (text === undefined) return [];
    const source = path.some(isUserTurn) ? 'resume' : 'startup';
    const begins = this.begun.has(chatId) ? undefined : source;
    this.begun.add(chatId);
    return promptParts(hooks, { text, begins }, this.closing.signal);
  }

  dispose(): void {
    this.closing.abort();
  }
}
