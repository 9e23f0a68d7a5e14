import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { HiddenMarked } from './hiddenMarked.tsx';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import { usePage } from './pageContext.ts';
import { ansiPieces, hasAnsi, withoutAnsi } from '../markdown/ansi.ts';

/** Terminal output, in the theme's terminal colors. */
export const AnsiText = memo(function AnsiText({ text }: { text: string }): JSX.Element {
  const isPlain = usePage().isPlain.value;
  if (isPlain) return <>{withHiddenSpelledOut(withoutAnsi(text))}</>;
  if (!hasAnsi(text)) return <HiddenMarked text={text} />;
  return (
    <>
      {ansiPieces(text).map((piece, index) =>
        piece.classes === '' ? (
          <HiddenMarked key={index} text={piece.text} />
        ) : (
          <span key={index} class={piece.classes}>
            <HiddenMarked text={piece.text} />
          </span>
        ),
      )}
    </>
  );
});
