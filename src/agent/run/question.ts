import { user, type Fragment } from '../../engine/fragments/index.ts';
import type { UIMessage, UIMessagePart } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';

export interface Question {
  /** The id of its message; absent: a new one. A stored message's id saves it as another version of that message. */
  readonly id?: string | undefined;
  readonly text: string;
  /** Its attachments, after its text. */
  readonly attached: readonly UIMessagePart[];
}

export function asMessage({ id, text, attached }: Question): Fragment {
  const options = id === undefined ? {} : { id };
  if (attached.length === 0) return user(text, options);
  return user(
    { role: 'user', parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attached] },
    options,
  );
}

/** The question that an answer at the end of this path belongs to; undefined when there is nothing to answer. */
export function questionToAnswer(path: readonly UIMessage[], continues: boolean): UIMessage | undefined {
  const last = path.at(-1);
  // A report at the end is also answered.
  if (last?.role === 'user') return last;
  return continues ? path.findLast(isUserTurn) : undefined;
}

/** The messages before a question; for another version, those before the replaced message. */
export function pathBefore(
  messages: readonly UIMessage[],
  replaces: string | undefined,
): readonly UIMessage[] {
  const at = replaces === undefined ? -1 : messages.findIndex(({ id }) => id === replaces);
  return at < 0 ? messages : messages.slice(0, at);
}
