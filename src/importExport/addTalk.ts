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
 * Adds what a record says: results of tools are the assistant's, with their calls; what they show and what the user says
 * follows them.
 * @returns the id of the last message, or that of the parent where there is nothing to add
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

/** What programs put around what they tell the model beside the user's words. */
const NOTES = ['system-reminder', 'environment_details'] as const;

/** What the user said, without what the program put in for the model. */
export function withoutNotes(parts: readonly UIMessagePart[], report: ImportReport): UIMessagePart[] {
  return parts.flatMap((part): UIMessagePart[] => {
    if (part.type !== 'text' || !('text' in part)) return [part];
    const text = NOTES.reduce(withoutElement, part.text);
    if (text === part.text) return [part];
    report.add(defineMessage('Notes of the program to the model'));
    return text.trim() === '' ? [] : [{ ...part, text: text.trim() }];
  });
}

/** A text without the elements of a name; each piece is looked at once, whatever stands there. */
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
