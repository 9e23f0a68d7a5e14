import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { hiddenPieces } from '../markdown/markHidden.ts';

/** A text whose hidden characters are shown by their numbers; copied, it is the text as it is. */
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
