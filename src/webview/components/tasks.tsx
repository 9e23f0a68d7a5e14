import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { TaskView } from '../../protocol/views.ts';
import { clockText, durationText, t, usageText, usageTitle } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { usePage } from './pageContext.ts';

export function Tasks({ tasks }: { readonly tasks: readonly TaskView[] }): JSX.Element {
  return (
    <ul class="tasks" aria-label={t('Tasks')}>
      {tasks.map((task, index) => (
        <Task key={task.branchId ?? index} task={task} />
      ))}
    </ul>
  );
}

function Task({ task }: { readonly task: TaskView }): JSX.Element {
  const { host } = usePage();
  const { title, state, branch, branchId, startedAt, duration } = task;
  const name = (
    <span class="task-title" dir="auto">
      <HiddenMarked text={title} />
    </span>
  );
  const spoken = withHiddenSpelledOut(title);
  return (
    <li class={`task ${state}`}>
      <StateIcon state={state} />
      {branchId === undefined ? (
        name
      ) : (
        <button
          type="button"
          class="task-open"
          title={t('Open the branch of “{0}”', spoken)}
          onClick={() => host.send({ type: 'openTask', branchId })}
        >
          {name}
        </button>
      )}
      {startedAt !== undefined && <Elapsed since={startedAt} />}
      {duration !== undefined && <span class="task-time">{durationText(duration)}</span>}
      {state === 'running' && branch !== undefined && (
        <IconButton
          icon="debug-stop"
          class="task-stop"
          label={t('Stop “{0}”', spoken)}
          onClick={() => host.send({ type: 'stopTask', branch })}
        />
      )}
      <Detail task={task} />
    </li>
  );
}

function Detail({ task }: { readonly task: TaskView }): JSX.Element | null {
  const { state, steps, step, usage, reason } = task;
  const facts = [
    // Not everybody knows those icons.
    ...(state === 'stopped' || state === 'interrupted' ? [faceOf(state).label] : []),
    ...(step === undefined ? [] : [step]),
    ...(reason === undefined ? [] : [reason]),
    ...(steps === 0 ? [] : [steps === 1 ? t('1 step') : t('{0} steps', steps)]),
    ...(usage === undefined ? [] : [usageText(usage)]),
  ];
  if (facts.length === 0) return null;
  const text = facts.join(' · ');
  const spoken = withHiddenSpelledOut(text);
  return (
    <span class="task-detail" dir="auto" title={usage ? `${spoken} (${usageTitle(usage)})` : spoken}>
      <HiddenMarked text={text} />
    </span>
  );
}

function Elapsed({ since }: { readonly since: number }): JSX.Element {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // Not read aloud every second.
    <span class="task-time" aria-hidden="true">
      {clockText(Math.max(0, now - since))}
    </span>
  );
}

function StateIcon({ state }: { readonly state: TaskView['state'] }): JSX.Element {
  const { icon, label } = faceOf(state);
  return (
    <>
      <Icon name={icon} spin={state === 'running'} />
      <span class="visually-hidden">{label}</span>
    </>
  );
}

function faceOf(state: TaskView['state']): { readonly icon: string; readonly label: string } {
  switch (state) {
    case 'waiting':
      return { icon: 'circle-outline', label: t('queued') };
    case 'running':
      return { icon: 'loading', label: t('running') };
    case 'done':
      return { icon: 'check', label: t('done') };
    case 'failed':
      return { icon: 'error', label: t('failed') };
    case 'stopped':
      return { icon: 'circle-slash', label: t('stopped') };
    case 'interrupted':
      return { icon: 'debug-pause', label: t('interrupted') };
  }
}
