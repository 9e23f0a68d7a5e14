import type { JSX } from 'preact';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { ReviewView } from '../../protocol/chatFromHost.ts';
import { numberText, t } from '../state/texts.ts';
import { FoldingPanel } from './disclosure.tsx';
import { IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

type ReviewedFile = ReviewView['files'][number];

export function ReviewBar(): JSX.Element | null {
  const review = usePage().conversation.value?.review;
  return review ? <Review review={review} /> : null;
}

function Review({ review }: { review: ReviewView }): JSX.Element {
  const { conversation, host } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const left = review.count - review.files.length;
  return (
    <FoldingPanel
      name="review"
      label={t('Edits to review')}
      line={
        <>
          <span>{review.count === 1 ? t('1 file') : t('{0} files', numberText(review.count))}</span>
          <Lines lines={review} />
        </>
      }
      actions={
        <span class="review-actions">
          <button
            type="button"
            class="link-button"
            disabled={isReadOnly}
            onClick={() => host.send({ type: 'runCommandHere', command: 'keepEdits' })}
          >
            {t('Keep')}
          </button>
          <button
            type="button"
            class="link-button"
            disabled={isReadOnly}
            onClick={() => host.send({ type: 'runCommandHere', command: 'undoEdits' })}
          >
            {t('Undo')}
          </button>
          <button
            type="button"
            class="link-button"
            onClick={() => host.send({ type: 'runCommandHere', command: 'reviewEdits' })}
          >
            {t('Review')}
          </button>
        </span>
      }
    >
      {() => (
        <>
          {review.files.map((file) => (
            <ReviewedRow key={file.id} file={file} isReadOnly={isReadOnly} />
          ))}
          {left > 0 && <li class="review-more">{t('… {0} more', numberText(left))}</li>}
        </>
      )}
    </FoldingPanel>
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
