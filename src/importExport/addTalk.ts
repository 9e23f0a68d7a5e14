import { defineMessage } from '../engine/messageDescriptor.ts';
import type { UIMessagePart } from '../engine/uiMessage.ts';
import type { ReadContent } from './anthropicBlocks.ts';
import type { ChatBuilder } from './chatBuilder.ts';
import type { ImportReport } from './importReport.ts';
import { SHOWN } from './toolCalls.ts';

export interface Talk extends ReadContent {
  readonly key: string;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant';
  readonly createdAt: number;
  readonly model?: string | undefined;
}

/**
 * Adds the content of a record: tool results belong to the assistant, with their calls; pictures from results and the
 * user's words follow them.
 * @returns the id of the last message, or that of the parent if there is nothing to add
 */
export function addTalk(builder: ChatBuilder, talk: Talk): string | null {
  const { key, role, createdAt, model, spoken, results, shown } = talk;
  let { parentId } = talk;
  const add = (suffix: string, as: 'user' | 'assistant', parts: readonly UIMessagePart[]): void => {
    if (parts.length === 0) return;
    parentId = builder.add({ key: `${key}${suffix}`, parentId, role: as, parts, createdAt, model });
  };
  if (role === 'assistant') {
    add('', 'assistant', [...spoken, ...results]);
  } else {
    add(spoken.length === 0 ? '' : ':results', 'assistant', results);
    add(':shown', 'user', shown.length === 0 ? [] : [SHOWN, ...shown]);
    add('', 'user', spoken);
  }
  return parentId;
}

/** The tags programs put around their notes to the model next to the user's words. */
const NOTES = ['system-reminder', 'environment_details'] as const;

/** The user's words, without the program's notes to the model. */
export function withoutNotes(parts: readonly UIMessagePart[], report: ImportReport): UIMessagePart[] {
  return parts.flatMap((part): UIMessagePart[] => {
    if (part.type !== 'text' || !('text' in part)) return [part];
    const text = NOTES.reduce(withoutElement, part.text);
    if (text === part.text) return [part];
    report.add(defineMessage('Notes of the program to the model'));
    return text.trim() === '' ? [] : [{ ...part, text: text.trim() }];
  });
}

/** A text without the elements of a given name; linear in the text for any content. */
function withoutElement(text: string, name: string): string {
  const [start, end] = [`<${name}>`, `</${name}>`];
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, from)) {
    const close = text.indexOf(end, at);
    if (close < 0) break;
    kept += text.slice(from, at);
    from = close + end.length;
  }
  return from === 0 ? text : kept + text.slice(from);
}
