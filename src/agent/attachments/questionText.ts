import { branchSummaryOf } from '../../engine/branchSummary.ts';
import { pathSummaryOf } from '../../engine/pathSummary.ts';
import { textOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedContextOf } from './attachedContext.ts';
import { attachedFileOf } from './attachedFile.ts';

/**
 * What a message says, for lists and titles: its text, or the names of what was sent without a word. A report or a
 * summary without the words around it, which are the model's to read.
 */
export function questionText(message: Pick<UIMessage, 'parts' | 'metadata'>): string {
  const text = branchSummaryOf(message)?.report ?? pathSummaryOf(message)?.text ?? textOf(message);
  return text.trim() === '' ? namesOfAttached(message.parts) : text;
}

/** The names of what goes with a question, in order; of a file its last part. */
export function namesOfAttached(parts: readonly UIMessagePart[]): string {
  return parts
    .flatMap((part) => {
      const file = attachedFileOf(part);
      if (file) return [file.path.slice(file.path.lastIndexOf('/') + 1)];
      const context = attachedContextOf(part);
      if (context) return [context.name === '' ? context.of : context.name];
      return part.type === 'file' && 'filename' in part ? [part.filename] : [];
    })
    .join(', ');
}
