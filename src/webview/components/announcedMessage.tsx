import type { JSX } from 'preact';
import { t, timeText } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { useOpened } from './disclosure.tsx';

/** Longer questions, in characters, are shown in full on demand: a pasted log would hide the conversation. */
const CHARACTERS_AT_FIRST = 4_000;

/** `id` is unique in the page. */
export function AnnouncedMessage({
  id,
  text,
  moment,
}: {
  id: string;
  text: string;
  moment: number;
}): JSX.Element {
  const [extent, setExtent] = useOpened(id, 0);
  const isCut = extent === 0 && text.length > CHARACTERS_AT_FIRST;
  return (
    <>
      <p class="said" dir="auto" title={timeText(moment)}>
        <HiddenMarked text={isCut ? `${text.slice(0, CHARACTERS_AT_FIRST)}…` : text} />
      </p>
      {isCut && (
        <button type="button" class="link-button" onClick={() => setExtent(1)}>
          {t('Show more')}
        </button>
      )}
    </>
  );
}
