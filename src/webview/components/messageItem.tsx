import type { JSX } from 'preact';
import { memo } from 'preact/compat';
import { useState } from 'preact/hooks';
import type { MessageView, PartView } from '../../protocol/views.ts';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { isAttached, ShownAttachment } from '../attachments/shownAttachment.tsx';
import { contextName } from '../attachments/attachmentText.ts';
import { textOfParts } from '../state/textOfParts.ts';
import { t, timeText } from '../state/texts.ts';
import { AnnouncedMessage } from './announcedMessage.tsx';
import { AnswerParts, Sources, ModelName } from './answer.tsx';
import { CompactionActions } from './compaction.tsx';
import { EditBox } from './editBox.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { MessageActions, VersionSwitcher } from './messageActions.tsx';
import { MessageStatus } from './messageStatus.tsx';
import { usePage } from './pageContext.ts';
import { AskedBy } from './sharedWith.tsx';
import { Report } from './report.tsx';
import { UsageButton, UsageDetails, useUsageToggle, TurnFooter } from './usageDetails.tsx';
import { Disclosure } from './disclosure.tsx';

/** An answer at least this long, in characters, can be folded. */
const FOLDABLE_LENGTH = 1_000;

/** The length of a message's accessible name, in UTF-16 units. */
const NAME_LENGTH = 200;

export interface MessageItemProps {
  readonly message: MessageView;
  /** The one that the Tab key reaches; the arrow keys lead to the others. */
  readonly isCurrent: boolean;
}

/** One question or answer. The host's own menu opens on it, and identifies the message by its context. */
export const MessageItem = memo(function MessageItem({ message, isCurrent }: MessageItemProps): JSX.Element {
  const context = {
    webviewSection: 'message',
    messageId: message.id,
    role: message.role,
    hasVersions: message.versions !== undefined,
    isKept: message.isKept === true,
    preventDefaultContextMenuItems: true,
  };
  const isAnswer = message.role === 'assistant';
  const [isEdited, setEdited] = useState(false);
  return (
    <li
      class={`message ${message.role} ${message.line === undefined ? '' : `line-${message.line}`}`}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={nameOf(message)}
      data-message-id={message.id}
      {...(message.isUnsaved ? {} : { 'data-vscode-context': JSON.stringify(context) })}
    >
      {isAnswer && <Author message={message} isCurrent={isCurrent} />}
      {message.author !== undefined && <AskedBy name={message.author} />}
      {message.isTask && <TaskNote />}
      {message.report ? (
        <Report message={message} report={message.report} />
      ) : isAnswer ? (
        <FoldableAnswer message={message} />
      ) : (
        <Question message={message} isEdited={isEdited} onClose={() => setEdited(false)} />
      )}
      {message.report?.kind === 'compacted' && <CompactionActions message={message} />}
      <HiddenContent message={message} />
      <Sources message={message} />
      <MessageStatus message={message} />
      {message.turn && <TurnFooter id={message.id} turn={message.turn} isCurrent={isCurrent} />}
      <VersionSwitcher message={message} />
      {message.isKept && (
        <div class="task-note kept-always">
          <Icon name="pin" />
          <span>{t('Always sent to the model')}</span>
        </div>
      )}
      {message.checkpoints.length > 0 && (
        <ul class="checkpoints" aria-label={t('Checkpoints')}>
          {message.checkpoints.map((name) => (
            <li key={name} class="chip">
              <Icon name="bookmark" />
              <span dir="auto">
                <HiddenMarked text={name} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {message.status !== 'streaming' && !message.isUnsaved && (
        <MessageActions message={message} onEdit={() => setEdited(true)} />
      )}
      {message.step !== undefined && (
        <StepMarker messageId={message.id} step={message.step} isCurrent={isCurrent} />
      )}
    </li>
  );
});

/** A message, or the answer being written: only the latter is redrawn for each delta. */
export function ListedMessage({
  message,
  isCurrent,
}: {
  message: MessageView | undefined;
  isCurrent: boolean;
}): JSX.Element | null {
  const page = usePage();
  const shown = message ?? page.running.value;
  return shown ? <MessageItem message={shown} isCurrent={isCurrent} /> : null;
}

interface QuestionProps {
  readonly message: MessageView;
  readonly isEdited: boolean;
  readonly onClose: () => void;
}

function Question({ message, isEdited, onClose }: QuestionProps): JSX.Element {
  if (isEdited) return <EditBox message={message} onClose={onClose} />;
  return (
    <>
      {message.parts.map((part, index) => (
        <QuestionPart key={index} id={`${message.id} ${index}`} part={part} message={message} />
      ))}
    </>
  );
}

function FoldableAnswer({ message }: { message: MessageView }): JSX.Element {
  const isFolded = usePage().folded.value.has(message.id);
  return (
    <div class={`answer-body ${isFolded ? 'collapsed' : ''}`} inert={isFolded}>
      <AnswerParts
        messageId={message.id}
        parts={message.parts}
        isStreaming={message.status === 'streaming'}
      />
    </div>
  );
}

function FoldButton({ message }: { message: MessageView }): JSX.Element | null {
  const page = usePage();
  if (message.status === 'streaming' || lengthOf(message) < FOLDABLE_LENGTH) return null;
  const isFolded = page.folded.value.has(message.id);
  return (
    <button
      type="button"
      class="icon-button fold"
      aria-expanded={!isFolded}
      aria-label={isFolded ? t('Show the whole answer') : t('Fold the answer')}
      title={isFolded ? t('Show the whole answer') : t('Fold the answer')}
      onClick={() => page.toggleFolded(message.id)}
    >
      <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} />
    </button>
  );
}

function lengthOf({ parts }: MessageView): number {
  return parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}

function QuestionPart({
  id,
  part,
  message,
}: {
  id: string;
  part: PartView;
  message: MessageView;
}): JSX.Element | null {
  if (part.type === 'text') return <AnnouncedMessage id={id} text={part.text} moment={message.createdAt} />;
  return isAttached(part) ? <ShownAttachment part={part} /> : null;
}

function TaskNote(): JSX.Element {
  return (
    <div class="task-note">
      <Icon name="telescope" />
      <span>{t('Task from the agent. Of what stands above, only its ledger is sent along.')}</span>
    </div>
  );
}

function Author({ message, isCurrent }: MessageItemProps): JSX.Element {
  const details = useUsageToggle(message.id);
  return (
    <>
      <div class="author" title={timeText(message.createdAt)}>
        {/* On the left, because the actions cover the right end of the current message. */}
        <FoldButton message={message} />
        <Icon name="sparkle" />
        <ModelName model={message.model} />
        {message.usage && <UsageButton usage={message.usage} isCurrent={isCurrent} {...details} />}
      </div>
      {message.usage && details.isOpen && <UsageDetails usage={message.usage} />}
    </>
  );
}

function nameOf(message: MessageView): string {
  const text = textOfParts(message, ' ');
  const label = text === '' ? message.parts.flatMap(attachedName).join(', ') : text;
  const start = label.slice(0, NAME_LENGTH * 4);
  const words = (message.role === 'assistant' ? withoutMarkup(start) : start).replaceAll(/\s+/gu, ' ').trim();
  const begins = words.length > NAME_LENGTH ? `${words.slice(0, NAME_LENGTH).toWellFormed()}…` : words;
  return begins === '' ? whatIs(message) : t('{0}: {1}', whatIs(message), begins);
}

/** A screen reader would read out the signs of Markdown. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/^ {0,3}(?:`{3,}|~{3,}).*$/gmu, '')
    .replaceAll(/^\s*(?:#{1,6}|>|[-*+]|\d+[.)])\s+/gmu, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/(\*\*|__|~~|`+)(.+?)\1/gu, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+)\*/gu, '$1');
}

function attachedName(part: PartView): string[] {
  if (part.type === 'image' || part.type === 'pdf') return [part.name];
  if (part.type === 'context') return [contextName(part)];
  return part.type === 'file' ? [part.path] : [];
}

function whatIs({ role, status, isTask, author }: MessageView): string {
  switch (role) {
    case 'user':
      if (isTask) return t('Task');
      if (author !== undefined) return t('Question of {0}', withHiddenSpelledOut(author));
      return t('Question');
    case 'assistant':
      if (status === 'failed') return t('Answer that failed');
      return status === 'interrupted' ? t('Answer that was stopped') : t('Answer');
    case 'system':
    case 'note':
      return t('Note');
  }
}

/** As plain text, because it is untrusted. */
function HiddenContent({ message }: { message: MessageView }): JSX.Element | null {
  if (message.hidden === undefined) return null;
  return (
    <Disclosure
      id={`${message.id} hidden`}
      class="tool hidden-content"
      summary={
        <>
          <Icon name="eye-closed" />
          <span class="tool-title">{t('Also sent to the model')}</span>
        </>
      }
    >
      <div class="tool-body">
        <pre dir="auto">{withHiddenSpelledOut(message.hidden)}</pre>
      </div>
    </Disclosure>
  );
}

function StepMarker({
  messageId,
  step,
  isCurrent,
}: {
  readonly messageId: string;
  readonly step: string;
  readonly isCurrent: boolean;
}): JSX.Element {
  const { host, conversation } = usePage();
  const label = t('Rewind to Here');
  return (
    <div class="step">
      <span class="step-text" dir="auto" title={withHiddenSpelledOut(step)}>
        <HiddenMarked text={step} />
      </span>
      <button
        type="button"
        class="link-button step-rewind"
        // As of the actions: the Tab key reaches that of the current message, and of no other.
        tabIndex={isCurrent ? 0 : -1}
        aria-label={t('{0}: {1}', label, withHiddenSpelledOut(step))}
        disabled={conversation.value?.isReadOnly ?? true}
        onClick={() => host.send({ type: 'runCommandHere', command: 'rewindToHere', messageId })}
      >
        {label}
      </button>
    </div>
  );
}
