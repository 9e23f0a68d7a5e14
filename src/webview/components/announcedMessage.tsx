import type { JSX } from 'preact';
import { t, timeText } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { useOpened } from './useOpened.ts';

/** More than this of a question, in characters, is shown on demand: a pasted log would hide the conversation. */
const CHARACTERS_AT_FIRST = 4_000;

/** What the user said, as it was typed. `id` names it in the whole page. */
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
