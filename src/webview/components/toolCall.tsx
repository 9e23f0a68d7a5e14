import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { ToolPartView } from '../../protocol/views.ts';
import { focusControl } from '../focus.ts';
import { durationText, t } from '../state/texts.ts';
import { PdfName, Picture } from '../attachments/shownAttachment.tsx';
import { AnsiText } from './codeBlock.tsx';
import { Approval } from './approval.tsx';
import { Changes } from './changes.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { usePage } from './pageContext.ts';
import { Tasks } from './tasks.tsx';
import { UserQuestions } from './userQuestions.tsx';
import { useFollowedEnd } from './useFollowedEnd.ts';
import { useOpened } from './disclosure.tsx';

export const ToolCall = memo(function ToolCall({
  messageId,
  call,
}: {
  messageId: string;
  call: ToolPartView;
}): JSX.Element {
  const { host } = usePage();
  const [extent, setExtent] = useOpened(`${messageId} ${call.callId}`, 0);
  const isOpen = extent > 0;
  const summary = useRef<HTMLElement>(null);
  const { title, state, duration, input, changes, command, output, files, approval, questions } = call;
  return (
    <div class={`tool-call ${state}`}>
      <details
        class={`tool ${state}`}
        open={isOpen}
        onToggle={(event) => setExtent(event.currentTarget.open ? 1 : 0)}
      >
        <summary ref={summary}>
          <Icon name={call.icon} />
          <span class="tool-title" title={withHiddenSpelledOut(title)} dir="auto">
            <HiddenMarked text={title} />
          </span>
          <span class="tool-state">
            <ExitCode command={command} />
            {duration !== undefined && <span class="tool-time">{durationText(duration)}</span>}
            <StateIcon call={call} />
          </span>
          {state === 'failed' && !isOpen && !call.hooks && <Reason output={output} />}
        </summary>
        {isOpen && (
          <div class="tool-body">
            {changes && <Changes changes={changes} />}
            <Block label={t('Input of {0}', withHiddenSpelledOut(call.name))}>
              {/* Not as in a terminal, which would not show text hidden by such codes. */}
              {input !== '' && <HiddenMarked text={input} />}
            </Block>
            {command && (
              <Block label={t('Command')}>
                <HiddenMarked text={command.text} />
              </Block>
            )}
            <Block
              label={state === 'failed' ? t('Error') : command ? t('Output') : t('Result')}
              isFollowed={state === 'running'}
            >
              {output !== '' && <AnsiText text={output} />}
            </Block>
            <div class="tool-actions">
              {command && <CommandActions call={call} />}
              <button
                type="button"
                class="link-button"
                onClick={() => host.send({ type: 'openToolCall', messageId, callId: call.callId })}
              >
                {t('Open in Editor')}
              </button>
            </div>
          </div>
        )}
      </details>
      {command?.sandbox !== undefined && (
        <p class="tool-refused">
          <HiddenMarked text={command.sandbox} />
        </p>
      )}
      {call.hooks?.map((text, index) => (
        <p key={index} class="tool-refused">
          <HiddenMarked text={text} />
        </p>
      ))}
      <Waiting call={call} />
      {call.tasks && <Tasks tasks={call.tasks} />}
      {files && <ToolFiles files={files} />}
      {/* The pressed button disappears; the focus stays at its call. */}
      {approval && (
        <Approval key={approval.id} approval={approval} onAnswered={() => focusControl(summary.current)} />
      )}
      {questions && <UserQuestions questions={questions} onAnswered={() => focusControl(summary.current)} />}
    </div>
  );
});

function ToolFiles({ files }: { files: NonNullable<ToolPartView['files']> }): JSX.Element {
  return (
    <div class="tool-files">
      {files.map((file, index) =>
        file.mediaType === 'application/pdf' ? (
          <PdfName key={index} name={file.name} pages={file.pages} />
        ) : (
          <Picture key={index} part={file} />
        ),
      )}
    </div>
  );
}

function ExitCode({ command }: { command: ToolPartView['command'] }): JSX.Element | null {
  const exitCode = command?.exitCode;
  if (exitCode === undefined || exitCode === 0) return null;
  return (
    <span class="tool-exit-code">{exitCode === null ? t('stopped') : t('exit code {0}', exitCode)}</span>
  );
}

function CommandActions({ call: { callId, state, command } }: { call: ToolPartView }): JSX.Element {
  const { host } = usePage();
  const act = (action: 'stop' | 'leave' | 'showTerminal') => () =>
    host.send({ type: 'actOnCommand', action, callId, commandId: command?.id });
  return (
    <>
      {state === 'running' && (
        <>
          <button type="button" class="link-button" onClick={act('stop')}>
            {t('Stop Command')}
          </button>
          <button type="button" class="link-button" onClick={act('leave')}>
            {t('Leave Running')}
          </button>
        </>
      )}
      <button type="button" class="link-button" onClick={act('showTerminal')}>
        {t('Show Terminal')}
      </button>
    </>
  );
}

/** Also while the row is closed: nobody else answers what it waits for. */
function Waiting({ call: { callId, waiting, command } }: { call: ToolPartView }): JSX.Element | null {
  const { host } = usePage();
  if (!waiting) return null;
  const act = (action: 'stop' | 'showTerminal') => () =>
    host.send({ type: 'actOnCommand', action, callId, commandId: waiting.commandId ?? command?.id });
  return (
    <div class="tool-waiting" role="status">
      <span>{waiting.text}</span>
      <button type="button" class="link-button" onClick={act('stop')}>
        {t('Stop Command')}
      </button>
      <button type="button" class="link-button" onClick={act('showTerminal')}>
        {t('Show Terminal')}
      </button>
    </div>
  );
}

/** The maximum length of a reason in a closed row, in characters: more than fits in one line. */
const REASON_LENGTH = 200;

function Reason({ output }: { output: string }): JSX.Element | null {
  const line = /\S.*/.exec(output)?.[0].slice(0, REASON_LENGTH).toWellFormed();
  if (line === undefined) return null;
  return (
    <span class="tool-reason" dir="auto">
      <HiddenMarked text={line} />
    </span>
  );
}

function StateIcon({ call }: { call: ToolPartView }): JSX.Element {
  switch (call.state) {
    case 'asking':
      return (
        <Labelled
          icon="question"
          label={call.questions ? t('waiting for your answer') : t('waiting for your approval')}
        />
      );
    case 'queued':
      return <Labelled icon="circle-outline" label={t('queued')} />;
    case 'preparing':
    case 'running':
      return <Labelled icon="loading" spin label={t('running')} />;
    case 'done':
      return (call.command?.exitCode ?? 0) === 0 ? (
        <Labelled icon="check" label={t('done')} />
      ) : (
        <Labelled icon="error" label={t('failed')} />
      );
    case 'failed':
      return <Labelled icon="error" label={t('failed')} />;
    case 'denied':
      return <Labelled icon="circle-slash" label={t('denied')} />;
  }
}

function Labelled({
  icon,
  label,
  spin = false,
}: {
  icon: string;
  label: string;
  spin?: boolean;
}): JSX.Element {
  return (
    <>
      <Icon name={icon} spin={spin} />
      <span class="visually-hidden">{label}</span>
    </>
  );
}

interface BlockProps {
  readonly label: string;
  /** The end stays in view, unless the user scrolls up. */
  readonly isFollowed?: boolean;
  readonly children: JSX.Element | false;
}

function Block({ children, ...block }: BlockProps): JSX.Element | null {
  return children === false ? null : <ShownBlock {...block}>{children}</ShownBlock>;
}

function ShownBlock({ label, isFollowed = false, children }: BlockProps): JSX.Element {
  const text = useRef<HTMLPreElement>(null);
  useLayoutEffect(useFollowedEnd(text, isFollowed));
  return (
    <>
      <div class="tool-label">{label}</div>
      <pre ref={text} tabIndex={0} dir="ltr">
        {children}
      </pre>
    </>
  );
}
