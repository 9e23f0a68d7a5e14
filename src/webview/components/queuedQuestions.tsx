import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { QueuedView } from '../../protocol/chatFromHost.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function queueSegment(page: Page): TraySegment | undefined {
  const queue = page.conversation.value?.queue ?? [];
  if (queue.length === 0) return undefined;
  const isPaused = page.runningId.value === undefined;
  const count = numberText(queue.length);
  return {
    id: 'queue',
    icon: isPaused ? 'debug-pause' : 'clock',
    label: t('{0} queued', count),
    count,
    urgency: isPaused ? 'asking' : 'quiet',
    opensFor: isPaused ? ['queue'] : [],
    panel: () => <QueuedQuestions queue={queue} isPaused={isPaused} />,
  };
}

function QueuedQuestions({
  queue,
  isPaused,
}: {
  queue: readonly QueuedView[];
  isPaused: boolean;
}): JSX.Element {
  return (
    <section class="queue" aria-label={t('Queued messages')}>
      {isPaused && <p class="queue-hint">{t('Queue paused: the last response stopped.')}</p>}
      <ul>
        {queue.map((question, index) => (
          <QueuedQuestion key={question.id} question={question} index={index} last={queue.length - 1} />
        ))}
      </ul>
    </section>
  );
}

function QueuedQuestion({
  question: { id, text, isSteering },
  index,
  last,
}: {
  question: QueuedView;
  index: number;
  last: number;
}): JSX.Element {
  const { host } = usePage();
  return (
    <li class={`queued ${isSteering ? 'steering' : ''}`} data-queued={id}>
      <Icon name={isSteering ? 'debug-step-into' : 'clock'} />
      <span class="queued-text" dir="auto" title={withHiddenSpelledOut(text)}>
        <span class="visually-hidden">{isSteering ? t('Sent at the next step:') : t('Queued:')} </span>
        <HiddenMarked text={text} />
      </span>
      <span class="queued-actions">
        <IconButton
          icon="debug-step-into"
          label={t('Send at the next step of the response')}
          pressed={isSteering}
          onClick={() => host.send({ type: 'steerQueued', id, steers: !isSteering })}
        />
        <IconButton
          icon="send"
          label={t('Stop and Send Now')}
          onClick={() => host.send({ type: 'sendQueuedNow', id })}
        />
        <IconButton icon="edit" label={t('Edit')} onClick={() => host.send({ type: 'editQueued', id })} />
        {last > 0 && (
          <>
            <IconButton
              icon="arrow-up"
              label={t('Move Up')}
              disabled={index === 0}
              onClick={() => host.send({ type: 'moveQueued', id, to: index - 1 })}
            />
            <IconButton
              icon="arrow-down"
              label={t('Move Down')}
              disabled={index === last}
              onClick={() => host.send({ type: 'moveQueued', id, to: index + 1 })}
            />
          </>
        )}
        <IconButton
          icon="close"
          label={t('Remove')}
          onClick={() => host.send({ type: 'removeQueued', id })}
        />
      </span>
    </li>
  );
}
