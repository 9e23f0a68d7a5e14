import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AlternativeView, AttemptView } from '../../protocol/chatFromHost.ts';
import { HiddenMarked } from '../components/hiddenMarked.tsx';
import { Icon, IconButton } from '../components/icon.tsx';
import { BudgetActions } from '../components/messageStatus.tsx';
import { usePage } from '../components/pageContext.ts';
import { costText, durationText, numberText, t } from '../state/texts.ts';
import { AttemptCheck, CheckMark } from './attemptCheck.tsx';

type Attempted = AlternativeView & { readonly attempt: AttemptView };

/** The branches with files of their own, one in each row, to be compared and decided about. */
export function Attempts({
  alternatives,
  isReadOnly,
}: {
  alternatives: readonly AlternativeView[];
  isReadOnly: boolean;
}): JSX.Element | null {
  const attempted = alternatives.flatMap((each): Attempted[] =>
    each.attempt ? [{ ...each, attempt: each.attempt }] : [],
  );
  if (attempted.length === 0) return null;
  return (
    <ul class="attempts" aria-label={t('Branches with their own files')}>
      {attempted.map((each) => (
        <Attempt key={each.branch} answer={each} isAlone={attempted.length === 1} isReadOnly={isReadOnly} />
      ))}
    </ul>
  );
}

interface AttemptProps {
  readonly answer: Attempted;
  readonly isAlone: boolean;
  readonly isReadOnly: boolean;
}

function Attempt({ answer, isAlone, isReadOnly }: AttemptProps): JSX.Element {
  const { host } = usePage();
  const [isOpen, setOpen] = useState(false);
  const { branch, label = branch, attempt, messages, isActive } = answer;
  const state = stateOf(answer);
  const last = messages.at(-1);
  const isWriting = state === 'answering' || state === 'asking';
  const isGood = attempt.check === undefined || attempt.check.state === 'passed';
  const model = messages.findLast((message) => message.model)?.model;
  // The name of the branch may say some of it.
  const about = [model?.label, attempt.effort, attempt.hint].filter(
    (each) => each !== undefined && each !== label,
  );
  const act = (action: 'compare' | 'compareWith' | 'ask'): void =>
    host.send({ type: 'actOnAttempt', branch, action });
  const details = `attempt-${branch}`;
  return (
    <li class={`attempt ${isActive ? 'active' : ''}`} data-branch={branch}>
      <div class="attempt-line">
        <button
          type="button"
          class="attempt-title"
          aria-expanded={isOpen}
          aria-controls={details}
          title={isOpen ? t('Hide files and output') : t('Show files and output')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <StateIcon state={state} />
          <span class="attempt-names">
            <span class="branch-name" dir="auto">
              <HiddenMarked text={label} />
            </span>
            {about.length > 0 && (
              <span class="attempt-about" dir="auto">
                <HiddenMarked text={about.join(' · ')} />
              </span>
            )}
          </span>
        </button>
        <div class="attempt-facts">
          <span class={`attempt-state ${state}`} title={state === 'capped' ? last?.error : undefined}>
            {stateText(state)}
          </span>
          {attempt.check && <CheckMark check={attempt.check} />}
          <Size attempt={attempt} />
          <Taken answer={answer} />
        </div>
        <div class="attempt-actions">
          {state === 'capped' && !answer.goesOn && (
            <BudgetActions branch={branch} isContinued={last?.canContinue === true} isReadOnly={isReadOnly} />
          )}
          {isWriting && (
            <IconButton
              icon="debug-stop"
              label={t('Stop {0}', label)}
              onClick={() => host.send({ type: 'stopAnswer', branch })}
            />
          )}
          <IconButton
            icon="diff"
            label={t('Show changes of {0}', label)}
            disabled={attempt.isElsewhere === true}
            onClick={() => act('compare')}
          />
          {!isAlone && (
            <IconButton
              icon="git-compare"
              label={t('Compare {0} with another branch', label)}
              disabled={attempt.isElsewhere === true}
              onClick={() => act('compareWith')}
            />
          )}
          <IconButton
            icon="comment"
            label={t('Ask a follow-up question on {0}', label)}
            disabled={isReadOnly || isWriting || !attempt.isOpen}
            onClick={() => act('ask')}
          />
          <button
            type="button"
            // What did not pass is not what one is to press first.
            class={`text-button ${isGood ? '' : 'secondary'}`}
            disabled={isReadOnly || isWriting || !attempt.isOpen}
            title={t('Merges the changes of this branch into the workspace')}
            onClick={() => host.send({ type: 'keepAlternative', branch })}
          >
            {t('Keep')}
          </button>
        </div>
      </div>
      {isOpen && (
        <div class="attempt-details" id={details}>
          {!attempt.isElsewhere && <ChangedFiles branch={branch} attempt={attempt} isWriting={isWriting} />}
          {attempt.check && <AttemptCheck branch={branch} check={attempt.check} isOpen={attempt.isOpen} />}
        </div>
      )}
    </li>
  );
}

type State = 'answering' | 'asking' | 'capped' | 'failed' | 'stopped' | 'done' | 'discarded' | 'elsewhere';

function stateOf({ attempt, messages }: Attempted): State {
  const last = messages.at(-1);
  switch (last?.status) {
    case 'streaming':
      return last.parts.some((part) => part.type === 'tool' && part.state === 'asking')
        ? 'asking'
        : 'answering';
    case 'failed':
      return last.isAtBudget ? 'capped' : 'failed';
    case 'interrupted':
      return 'stopped';
    case 'complete':
    case undefined:
      return attempt.isOpen ? 'done' : attempt.isElsewhere ? 'elsewhere' : 'discarded';
  }
}

function stateText(state: State): string {
  switch (state) {
    case 'answering':
      return t('Working');
    case 'asking':
      return t('Needs approval');
    case 'capped':
      return t('Stopped by your budget');
    case 'failed':
      return t('Failed');
    case 'stopped':
      return t('Stopped');
    case 'done':
      return t('Done');
    case 'discarded':
      return t('Files discarded');
    case 'elsewhere':
      return t('Files not on this machine');
  }
}

function StateIcon({ state }: { state: State }): JSX.Element {
  switch (state) {
    case 'answering':
      return <Icon name="loading" spin />;
    case 'asking':
      return <Icon name="bell-dot" />;
    case 'failed':
      return <Icon name="error" />;
    case 'capped':
    case 'stopped':
      return <Icon name="debug-pause" />;
    case 'done':
    case 'discarded':
    case 'elsewhere':
      return <Icon name="git-branch" />;
  }
}

function Size({ attempt: { lines } }: { attempt: AttemptView }): JSX.Element | null {
  if (!lines) return null;
  if (lines.files === 0) return <span>{t('no changes')}</span>;
  return (
    <span class="attempt-size">
      <span class="added">{`+${numberText(lines.added)}`}</span>{' '}
      <span class="removed">{`−${numberText(lines.removed)}`}</span>{' '}
      {lines.files === 1 ? t('1 file') : t('{0} files', numberText(lines.files))}
    </span>
  );
}

function Taken({ answer: { duration, usage } }: { answer: Attempted }): JSX.Element | null {
  const parts = [
    ...(duration === undefined ? [] : [durationText(duration)]),
    ...(usage?.cost === undefined ? [] : [costText(usage.cost)]),
  ];
  return parts.length === 0 ? null : <span>{parts.join(' · ')}</span>;
}

function ChangedFiles({
  branch,
  attempt: { changed, more },
  isWriting,
}: {
  branch: string;
  attempt: AttemptView;
  isWriting: boolean;
}): JSX.Element {
  const { host } = usePage();
  if (isWriting) return <p class="attempt-note">{t('Files are listed once the answer has ended.')}</p>;
  if (changed.length === 0) return <p class="attempt-note">{t('No files changed.')}</p>;
  return (
    <ul class="attempt-files" aria-label={t('Changed files')}>
      {changed.map(({ folder, path, kind }) => (
        <li key={`${folder} ${path}`}>
          <button
            type="button"
            class="attempt-file"
            title={t('Show changes of {0}', path)}
            onClick={() => host.send({ type: 'openAttemptFile', branch, folder, path, compares: true })}
          >
            <span class={`kind ${kind}`} aria-label={kindText(kind)} title={kindText(kind)}>
              {kindText(kind).slice(0, 1)}
            </span>
            <span class="attempt-path" dir="auto">
              <HiddenMarked text={path} />
            </span>
          </button>
          {kind !== 'deleted' && (
            <IconButton
              icon="go-to-file"
              label={t('Open {0}', path)}
              onClick={() => host.send({ type: 'openAttemptFile', branch, folder, path, compares: false })}
            />
          )}
        </li>
      ))}
      {more > 0 && <li class="attempt-note">{t('{0} more', numberText(more))}</li>}
    </ul>
  );
}

function kindText(kind: AttemptView['changed'][number]['kind']): string {
  switch (kind) {
    case 'added':
      return t('Added');
    case 'changed':
      return t('Modified');
    case 'deleted':
      return t('Deleted');
  }
}
