import { useRef } from 'preact/hooks';
import { focusTextBox } from '../focus.ts';
import { textOfParts } from '../state/textOfParts.ts';
import type { Page } from '../state/page.ts';

export interface Recall {
  /** @returns whether the key was handled */
  pressed(event: KeyboardEvent, text: string): boolean;
}

/**
 * The Up arrow in an empty input recalls the previous question, and the one before on each further press; the Down
 * arrow goes the other way. Once the user has edited the text, the arrows move the caret.
 */
export function useRecall(page: Page, setText: (text: string) => void): Recall {
  /** How far back, from 1, and the recalled text. */
  const recalled = useRef<{ readonly back: number; readonly text: string } | undefined>(undefined);
  return {
    pressed(event, text) {
      const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (altKey || ctrlKey || metaKey || shiftKey) return false;
      if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
      const { back, text: put } = recalled.current ?? { back: 0, text: '' };
      const from = text === put ? back : 0;
      if (text !== '' && from === 0) return false;
      const questions = questionsOf(page);
      const to = key === 'ArrowUp' ? Math.min(from + 1, questions.length) : from - 1;
      if (to === from || to < 0) return false;
      const next = to === 0 ? '' : (questions.at(-to) ?? '');
      recalled.current = { back: to, text: next };
      setText(next);
      event.preventDefault();
      return true;
    },
  };
}

/** The texts of the loaded questions, oldest first, without consecutive duplicates. */
function questionsOf({ ids, messages }: Page): string[] {
  const texts = ids.value.flatMap((id) => {
    const message = messages.value.get(id);
    if (message?.role !== 'user' || message.report) return [];
    const text = textOfParts(message);
    return text.trim() === '' ? [] : [text];
  });
  return texts.filter((text, index) => text !== texts[index - 1]);
}

/**
 * Writes as if the user had typed it, so that Undo works: setting the value would clear the undo history.
 * @returns whether the box now has the text
 */
export function writeInput(input: HTMLTextAreaElement, text: string, caret = text.length): boolean {
  const before = input.value;
  focusTextBox(input);
  let start = 0;
  while (start < before.length && start < text.length && before[start] === text[start]) start += 1;
  let left = Math.min(before.length, text.length) - start;
  let same = 0;
  while (left > 0 && before.at(-1 - same) === text.at(-1 - same)) {
    same += 1;
    left -= 1;
  }
  const inserted = text.slice(start, text.length - same);
  if (before !== text) {
    input.setSelectionRange(start, before.length - same);
    // Only this deprecated call adds to a text box's undo history.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    document.execCommand(inserted === '' ? 'delete' : 'insertText', false, inserted);
  }
  input.setSelectionRange(caret, caret);
  return input.value === text;
}
