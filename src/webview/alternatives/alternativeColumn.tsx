import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import type { AlternativeView } from '../../protocol/chatFromHost.ts';
import type { MessageView } from '../../protocol/views.ts';
import { AnswerParts, Sources, ModelName } from '../components/answer.tsx';
import { HiddenMarked } from '../components/hiddenMarked.tsx';
import { Icon, IconButton } from '../components/icon.tsx';
import { MessageStatus } from '../components/messageStatus.tsx';
import { Report } from '../components/report.tsx';
import { usePage } from '../components/pageContext.ts';
import { useFollowedEnd } from '../components/useFollowedEnd.ts';
import { durationText, t, tokensText, usageText, usageTitle } from '../state/texts.ts';

interface AlternativeColumnProps {
  readonly answer: AlternativeView;
  readonly isReadOnly: boolean;
}

export const AlternativeColumn = memo(function AlternativeColumn({
  answer,
  isReadOnly,
}: AlternativeColumnProps): JSX.Element {
  const { host } = usePage();
  const { branch, label = branch, messages, isActive } = answer;
  const last = messages.at(-1);
  const model = messages.findLast((message) => message.model)?.model;
  const isStreaming = last?.status === 'streaming';
  return (
    <li class={`try ${isActive ? 'active' : ''}`} data-branch={branch}>
      <header class="try-head">
        <div class="author">
          <Icon name="sparkle" />
          <ModelName model={model} />
          {isStreaming && <Icon name="loading" spin />}
        </div>
        <div class="try-branch" title={t('Branch {0}', branch)}>
          <Icon name="git-branch" />
          <span class="branch-name" dir="auto">
            <HiddenMarked text={label} />
          </span>
          {isActive && <span class="tag">{t('current')}</span>}
          {answer.goesOn && <span class="try-note">{t('continues')}</span>}
        </div>
      </header>
      <AlternativeBody answer={answer} label={t('Answer of {0}', model?.label ?? label)} />
      <footer class="try-foot">
        <Taken answer={answer} />
        {isStreaming ? (
          <IconButton
            icon="debug-stop"
            label={t('Stop this answer')}
            onClick={() => host.send({ type: 'stopAnswer', branch })}
          />
        ) : (
          <IconButton
            icon="copy"
            label={t('Copy')}
            onClick={() => host.send({ type: 'copyText', text: textOf(messages) })}
          />
        )}
        {!answer.attempt && (
          <button
            type="button"
            class="text-button"
            disabled={isReadOnly}
            title={t('Continues with this response on branch {0}. The others stay in the tree.', label)}
            onClick={() => host.send({ type: 'keepAlternative', branch })}
          >
            {t('Use This Response')}
          </button>
        )}
      </footer>
    </li>
  );
});

function AlternativeBody({
  answer: { branch, goesOn, messages },
  label,
}: {
  answer: AlternativeView;
  label: string;
}): JSX.Element {
  const last = messages.at(-1);
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  // A complete answer is read from its beginning.
  const follow = useFollowedEnd(body, last?.status === 'streaming');
  useEffect(() => {
    const inner = content.current;
    if (!inner) return;
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="try-body" ref={body} tabIndex={0} role="region" aria-label={label}>
      <div ref={content}>
        {messages.map((message) => (
          <div key={message.id} class={message.role === 'user' ? 'try-asked' : undefined}>
            {message.report ? (
              <Report message={message} report={message.report} />
            ) : (
              <AnswerParts messageId={message.id} parts={message.parts} />
            )}
            <Sources message={message} />
            <MessageStatus
              message={message}
              canAct={false}
              budgetBranch={message === last && !goesOn ? branch : undefined}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

function Taken({ answer: { duration, usage } }: { answer: AlternativeView }): JSX.Element | null {
  if (duration === undefined && !usage) return null;
  const parts = [
    ...(duration === undefined ? [] : [durationText(duration)]),
    ...(usage ? [tokensText(usage)] : []),
    ...(usage?.cost === undefined ? [] : [usageText(usage)]),
  ];
  return (
    <span class="usage" title={usage && usageTitle(usage)}>
      {parts.join(' · ')}
    </span>
  );
}

function textOf(messages: readonly MessageView[]): string {
  return messages
    .filter(({ report }) => report === undefined)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
    .join('\n\n');
}
