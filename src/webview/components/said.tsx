import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t, timeText } from '../state/texts.ts';

/** More than this of a question, in characters, is shown on demand: a pasted log would hide the conversation. */
const CHARACTERS_AT_FIRST = 4_000;

/** What the person said, as it was typed. */
export function Said({ text, moment }: { text: string; moment: number }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > CHARACTERS_AT_FIRST;
  return (
    <>
      <p class="said" dir="auto" title={timeText(moment)}>
        {isCut ? `${text.slice(0, CHARACTERS_AT_FIRST)}…` : text}
      </p>
      {isCut && (
        <button type="button" class="link-button" onClick={() => setWhole(true)}>
          {t('Show more')}
        </button>
      )}
    </>
  );
}
