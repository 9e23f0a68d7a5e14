import type { JSX } from 'preact';
import type { AttemptView } from '../../protocol/chatFromHost.ts';
import { HiddenMarked } from '../components/hiddenMarked.tsx';
import { Icon } from '../components/icon.tsx';
import { usePage } from '../components/pageContext.ts';
import { durationText, t } from '../state/texts.ts';

type Check = NonNullable<AttemptView['check']>;

const UNDER_WAY: ReadonlySet<Check['state']> = new Set(['running', 'elsewhere', 'waiting']);

/** How it went, for a row. */
export function CheckMark({ check }: { check: Check }): JSX.Element {
  return (
    <span class={`attempt-check ${check.state}`} title={check.command}>
      <CheckIcon state={check.state} />
      {stateText(check)}
    </span>
  );
}

/** Its command, its output, and what can be done about it. */
export function AttemptCheck({
  branch,
  check,
  isOpen,
}: {
  branch: string;
  check: Check;
  /** The files are there. */
  isOpen: boolean;
}): JSX.Element {
  const { host } = usePage();
  const { command, output, state, duration } = check;
  const act = (action: 'runCheck' | 'stopCheck' | 'showCheck'): void =>
    host.send({ type: 'actOnAttempt', branch, action });
  return (
    <section class="attempt-checked" aria-label={t('Check')}>
      <div class="attempt-checkline">
        <CheckIcon state={state} />
        <code dir="auto">
          <HiddenMarked text={command} />
        </code>
        <span class="attempt-note">
          {[stateText(check), ...(duration === undefined ? [] : [durationText(duration)])].join(' · ')}
        </span>
        {state === 'running' && (
          <>
            <button type="button" class="text-button secondary" onClick={() => act('showCheck')}>
              {t('Show Terminal')}
            </button>
            <button type="button" class="text-button secondary" onClick={() => act('stopCheck')}>
              {t('Stop Check')}
            </button>
          </>
        )}
        {!UNDER_WAY.has(state) && isOpen && (
          <button type="button" class="text-button secondary" onClick={() => act('runCheck')}>
            {state === 'none' ? t('Run Check') : t('Run Again')}
          </button>
        )}
      </div>
      {output !== undefined && (
        <pre class="attempt-output" tabIndex={0} aria-label={t('Output of the check')}>
          <HiddenMarked text={output === '' ? t('No output') : output} />
        </pre>
      )}
    </section>
  );
}

function CheckIcon({ state }: { state: Check['state'] }): JSX.Element {
  switch (state) {
    case 'passed':
      return <Icon name="pass" />;
    case 'failed':
      return <Icon name="error" />;
    case 'running':
    case 'elsewhere':
      return <Icon name="loading" spin />;
    case 'waiting':
      return <Icon name="clock" />;
    case 'late':
      return <Icon name="watch" />;
    case 'stopped':
    case 'none':
      return <Icon name="circle-slash" />;
  }
}

function stateText({ state, exitCode }: Check): string {
  switch (state) {
    case 'passed':
      return t('Check passed');
    case 'failed':
      return typeof exitCode === 'number' ? t('Check failed ({0})', exitCode) : t('Check failed');
    case 'running':
      return t('Checking…');
    case 'elsewhere':
      return t('Checking in another window…');
    case 'waiting':
      return t('Check follows');
    case 'late':
      return t('Check timed out');
    case 'stopped':
      return t('Check stopped');
    case 'none':
      return t('Not checked');
  }
}
