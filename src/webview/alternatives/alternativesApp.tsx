import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Notices } from '../components/notices.tsx';
import { HiddenMarked } from '../components/hiddenMarked.tsx';
import { Icon } from '../components/icon.tsx';
import { Refusal } from '../components/refusal.tsx';
import { usePage } from '../components/pageContext.ts';
import { t } from '../state/texts.ts';
import { Attempts } from './attempts.tsx';
import { AlternativeColumn } from './alternativeColumn.tsx';

export function AlternativesApp(): JSX.Element {
  const page = usePage();
  const shown = page.alternatives.value;
  const refusal = page.refusal.value;
  if (!shown) {
    return (
      <main class="page tries">
        <Notices />
        {refusal !== undefined ? (
          <Refusal reason={refusal} onRetry={() => page.host.send({ type: 'ready', again: true })} />
        ) : (
          page.isLoaded.value && <p class="tries-empty">{t('The question is no longer there.')}</p>
        )}
      </main>
    );
  }
  const running = shown.alternatives.filter(({ messages }) => messages.at(-1)?.status === 'streaming');
  return (
    <main class="page tries">
      <Notices />
      <header class="tries-head">
        <Question text={shown.question} />
        {running.length > 0 && (
          <button
            type="button"
            class="text-button secondary"
            onClick={() => page.host.send({ type: 'stopAlternatives' })}
          >
            <Icon name="debug-stop" />
            {t('Stop All')}
          </button>
        )}
      </header>
      <Attempts alternatives={shown.alternatives} isReadOnly={shown.isReadOnly} />
      {shown.alternatives.length === 0 ? (
        <p class="tries-empty">{t('There is no answer yet.')}</p>
      ) : (
        <ol class="tries-columns" aria-label={t('Answers')}>
          {shown.alternatives.map((each) => (
            <AlternativeColumn key={each.branch} answer={each} isReadOnly={shown.isReadOnly} />
          ))}
        </ol>
      )}
      <div class="visually-hidden" aria-live="polite">
        {running.length > 0
          ? t('{0} of {1} answers are being written', running.length, shown.alternatives.length)
          : t('All answers have arrived.')}
      </div>
    </main>
  );
}

/** A long question is folded, because the user came for the answers. */
function Question({ text }: { text: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <button
      type="button"
      class={`tries-question ${isOpen ? 'open' : ''}`}
      aria-expanded={isOpen}
      title={isOpen ? undefined : t('Show the whole question')}
      onClick={() => setOpen(!isOpen)}
    >
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      <span dir="auto">
        <HiddenMarked text={text} />
      </span>
    </button>
  );
}
