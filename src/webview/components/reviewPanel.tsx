import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { ReviewView } from '../../protocol/chatFromHost.ts';
import type { Page } from '../state/page.ts';
import { numberText, t } from '../state/texts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

type ReviewedFile = ReviewView['files'][number];

export function reviewSegment({ conversation }: Page): TraySegment | undefined {
  const review = conversation.value?.review;
  if (!review) return undefined;
  const count = numberText(review.count);
  return {
    id: 'review',
    icon: 'diff-multiple',
    label: review.count === 1 ? t('1 file changed') : t('{0} files changed', count),
    count,
    urgency: 'quiet',
    panel: () => <EditsToReview review={review} />,
  };
}

function EditsToReview({ review }: { review: ReviewView }): JSX.Element {
  const { conversation, host } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const left = review.count - review.files.length;
  const run = (command: 'keepEdits' | 'undoEdits' | 'reviewEdits') => () =>
    host.send({ type: 'runCommandHere', command });
  return (
    <section class="review" aria-label={t('Edits to review')}>
      <div class="tray-head">
        <Lines lines={review} />
        <span class="tray-actions">
          <button type="button" class="link-button" disabled={isReadOnly} onClick={run('keepEdits')}>
            {t('Keep')}
          </button>
          <button type="button" class="link-button" disabled={isReadOnly} onClick={run('undoEdits')}>
            {t('Undo')}
          </button>
          <button type="button" class="link-button" onClick={run('reviewEdits')}>
            {t('Review')}
          </button>
        </span>
      </div>
      <ul>
        {review.files.map((file) => (
          <ReviewedRow key={file.id} file={file} isReadOnly={isReadOnly} />
        ))}
        {left > 0 && <li class="review-more">{t('… {0} more', numberText(left))}</li>}
      </ul>
    </section>
  );
}

function ReviewedRow({
  file: { id, path, change, lines },
  isReadOnly,
}: {
  file: ReviewedFile;
  isReadOnly: boolean;
}): JSX.Element {
  const { host } = usePage();
  const shown = withHiddenSpelledOut(path);
  return (
    <li>
      <button
        type="button"
        class="review-file"
        title={shown}
        onClick={() => host.send({ type: 'runCommandHere', command: 'reviewEdits', file: id })}
      >
        {/* The end of a path is more useful than its beginning. */}
        <bdi>{shown}</bdi>
      </button>
      {change && <span class="tag">{change === 'created' ? t('new') : t('deleted')}</span>}
      {lines && <Lines lines={lines} />}
      <span class="review-actions">
        <IconButton
          icon="check"
          label={t('Keep {0}', shown)}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'keepEdits', file: id })}
        />
        <IconButton
          icon="discard"
          label={t('Undo {0}', shown)}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'runCommandHere', command: 'undoEdits', file: id })}
        />
      </span>
    </li>
  );
}

/** The signs convey what color alone would. */
function Lines({ lines: { added, removed } }: { lines: { added: number; removed: number } }): JSX.Element {
  return (
    <span class="review-lines">
      <span class="visually-hidden">
        {t('Lines added: {0}, removed: {1}', numberText(added), numberText(removed))}
      </span>
      <ins aria-hidden="true">+{numberText(added)}</ins>
      <del aria-hidden="true">−{numberText(removed)}</del>
    </span>
  );
}
