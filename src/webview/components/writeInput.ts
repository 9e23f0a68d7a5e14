/**
 * Replaces the text of a text box as if the user had typed it, so that Undo works. Setting the value directly would
 * clear the undo history.
 * @param caret the new caret
 * @returns whether the box now has the text
 */
export function writeInput(input: HTMLTextAreaElement, text: string, caret = text.length): boolean {
  const before = input.value;
  input.focus();
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
