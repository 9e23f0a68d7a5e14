import { user, type Fragment } from '../engine/fragments/index.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';

/** What a user asks, before it is a message. */
export interface Question {
  /** The id of its message; absent: a new one. */
  readonly id?: string | undefined;
  readonly text: string;
  /** What goes with it, after its text. */
  readonly attached: readonly UIMessagePart[];
}

/** The message of a question. */
export function asMessage({ id, text, attached }: Question): Fragment {
  const options = id === undefined ? {} : { id };
  if (attached.length === 0) return user(text, options);
  return user(
    { role: 'user', parts: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...attached] },
    options,
  );
}
