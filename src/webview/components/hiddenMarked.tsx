import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import {
  hasHiddenCharacters,
  hiddenCharacters,
  spelledOut,
  withHiddenSpelledOut,
} from '../../base/hiddenCharacters.ts';

/** Beyond this number in a text, hidden characters are spelled out as text: each mark costs two elements. */
const MAX_MARKS = 2_000;

/** With a code if it consists of hidden characters. */
interface HiddenPiece {
  readonly text: string;
  readonly code?: string;
}

function hiddenPieces(text: string): readonly HiddenPiece[] {
  const pieces: HiddenPiece[] = [];
  let end = 0;
  let count = 0;
  for (const { 0: char, index } of text.matchAll(hiddenCharacters)) {
    if (index > end) pieces.push({ text: text.slice(end, index) });
    end = index + char.length;
    pieces.push({ text: char, code: spelledOut(char) });
    count += 1;
    if (count === MAX_MARKS) break;
  }
  if (end < text.length || pieces.length === 0)
    pieces.push({ text: count < MAX_MARKS ? text.slice(end) : withHiddenSpelledOut(text.slice(end)) });
  return pieces;
}

/** Marks them in HTML made from text: its tags and attributes must not contain such characters. */
export function markHiddenInHtml(html: string): string {
  if (!hasHiddenCharacters(html)) return html;
  let count = 0;
  return html.replaceAll(hiddenCharacters, (char) => {
    count += 1;
    if (count > MAX_MARKS) return spelledOut(char);
    return `<span class="hidden-character" data-code="${spelledOut(char)}"><span>${char}</span></span>`;
  });
}

export function markHiddenIn(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest('.hidden-character') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) {
    if (!hasHiddenCharacters(text.data)) continue;
    text.replaceWith(...hiddenPieces(text.data).map(nodeOf));
  }
}

function nodeOf({ text, code }: HiddenPiece): Node {
  if (code === undefined) return document.createTextNode(text);
  const mark = document.createElement('span');
  mark.className = 'hidden-character';
  mark.dataset['code'] = code;
  mark.append(document.createElement('span'));
  mark.firstElementChild?.append(text);
  return mark;
}

/** A text that shows hidden characters as code points; copying gives the original text. */
export const HiddenMarked = memo(function HiddenMarked({ text }: { text: string }): JSX.Element {
  const pieces = hiddenPieces(text);
  if (pieces.length < 2 && pieces[0]?.code === undefined) return <>{text}</>;
  return (
    <>
      {pieces.map(({ text: piece, code }, index) =>
        code === undefined ? (
          piece
        ) : (
          <span key={index} class="hidden-character" data-code={code}>
            <span>{piece}</span>
          </span>
        ),
      )}
    </>
  );
});
