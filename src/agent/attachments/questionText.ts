import { branchSummaryOf } from '../../engine/branchSummary.ts';
import { pathSummaryOf } from '../../engine/pathSummary.ts';
import { textOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedContextOf } from './attachedContext.ts';
import { attachedFileOf } from './attachedFile.ts';

/**
 * The text of a message for lists and titles: its own text, or the names of attachments sent without text. For a
 * report or a summary, omits the surrounding text that is only for the model.
 */
export function questionText(message: Pick<UIMessage, 'parts' | 'metadata'>): string {
  const text = branchSummaryOf(message)?.report ?? pathSummaryOf(message)?.text ?? textOf(message);
  return text.trim() === '' ? namesOfAttached(message.parts) : text;
}

/** The names of a question's attachments, in order; for a file the last part of its path. */
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
