import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { focusControl } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import { numberText, t } from '../state/texts.ts';
import { usePage } from './pageContext.ts';

export function LookBackButton(): JSX.Element {
  const { lookBack } = usePage();
  const isOpen = lookBack.moment.value !== undefined;
  return (
    <IconButton
      icon="debug-step-back"
      label={t('Look back along this branch')}
      pressed={isOpen}
      onClick={() => (isOpen ? lookBack.end() : lookBack.begin())}
    />
  );
}

/** A slider along the branch: the chat and the editors show the moment it is at, and nothing is written. */
export function LookBackBar(): JSX.Element | null {
  const { lookBack } = usePage();
  const moment = lookBack.moment.value;
  const isOpen = moment !== undefined;
  const slider = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) focusControl(slider.current);
  }, [isOpen]);
  if (!moment) return null;
  const { place, count, text, files } = moment;
  const position = t('{0} of {1}', numberText(place + 1), numberText(count));
  const isLast = place === count - 1;
  return (
    <section
      class="look-back"
      aria-label={t('Look back')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isOfInputMethod(event)) return;
        // Else two of them would open the list of questions to rewind to.
        event.preventDefault();
        lookBack.end();
      }}
    >
      <input
        ref={slider}
        type="range"
        min={0}
        max={count - 1}
        value={lookBack.wanted.value ?? place}
        aria-label={t('Point of this branch')}
        aria-valuetext={t('{0}: {1}', position, text)}
        onInput={({ currentTarget }) => lookBack.show(currentTarget.valueAsNumber)}
      />
      <p class="look-back-text">
        <span class="look-back-place">{position}</span>
        <span class="look-back-message" dir="auto" title={text}>
          <HiddenMarked text={text} />
        </span>
      </p>
      <div class="look-back-actions">
        {files > 0 && (
          <span class="look-back-files">
            <Icon name="file" />
            {files === 1
              ? t('1 file is shown as it was')
              : t('{0} files are shown as they were', numberText(files))}
          </span>
        )}
        <button
          type="button"
          class="text-button secondary"
          disabled={isLast}
          onClick={() => lookBack.rewindHere()}
        >
          {t('Rewind Here')}
        </button>
        <IconButton icon="close" label={t('Back to the end')} onClick={() => lookBack.end()} />
      </div>
    </section>
  );
}
