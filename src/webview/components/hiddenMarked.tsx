import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { hiddenPieces } from '../markdown/markHidden.ts';

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
