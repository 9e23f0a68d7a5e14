import { textOf, type UIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import { attachedFileOf } from './attachedFile.ts';

/** What a message says, for lists and titles: its text, or the names of what was sent without a word. */
export function saidOf(message: Pick<UIMessage, 'parts'>): string {
  const text = textOf(message);
  return text.trim() === '' ? namesOfAttached(message.parts) : text;
}

/** The names of what goes with a question, in order; of a file its last part. */
export function namesOfAttached(parts: readonly UIMessagePart[]): string {
  return parts
    .flatMap((part) => {
      const file = attachedFileOf(part);
      if (file) return [file.path.slice(file.path.lastIndexOf('/') + 1)];
      return part.type === 'file' && 'filename' in part ? [part.filename] : [];
    })
    .join(', ');
}
