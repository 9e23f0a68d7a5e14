import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { ansiPieces, hasAnsi } from '../markdown/ansi.ts';

/** What a program wrote for a terminal, in the colours the theme has for terminals. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }): JSX.Element {
  if (!hasAnsi(text)) return <>{text}</>;
  return (
    <>
      {ansiPieces(text).map((piece, index) =>
        piece.classes === '' ? (
          piece.text
        ) : (
          <span key={index} class={piece.classes}>
            {piece.text}
          </span>
        ),
      )}
    </>
  );
});
