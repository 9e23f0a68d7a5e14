import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import type { MessageView } from '../../protocol/views.ts';
import type { SideQuestionView } from '../../protocol/chatFromHost.ts';
import { focusTextBox } from '../focus.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import type { Page } from '../state/page.ts';
import { t, numberText } from '../state/texts.ts';
import { textOfParts } from '../state/textOfParts.ts';
import type { TraySegment } from '../state/traySegments.ts';
import { AnnouncedMessage } from './announcedMessage.tsx';
import { AnswerParts, Sources } from './answer.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon, IconButton } from './icon.tsx';
import { MessageStatus, Unanswered } from './messageStatus.tsx';
import { usePage } from './pageContext.ts';
import { Report } from './report.tsx';
import { MAX_QUESTION_LENGTH } from '../../protocol/chatFromPage.ts';

export function sideQuestionsSegment(page: Page): TraySegment | undefined {
  const sideQuestions = page.sideQuestions.value;
  if (sideQuestions.length === 0) return undefined;
  const working = sideQuestions.filter(({ answer }) => answer?.status === 'streaming');
  const approvals = sideQuestions.flatMap(({ answer }) => (answer ? approvalsOf(answer) : []));
  const count = numberText(sideQuestions.length);
  return {
    id: 'sideQuestions',
    icon: approvals.length > 0 ? 'question' : working.length > 0 ? 'loading' : 'comment',
    label: sideQuestions.length === 1 ? t('1 side question') : t('{0} side questions', count),
    count,
    urgency: approvals.length > 0 ? 'asking' : working.length > 0 ? 'working' : 'quiet',
    opensFor: [...approvals, ...working.map((each) => `${keyOf(each)} answers`)],
    opensForNew: sideQuestions.map(keyOf),
    panel: () => <SideQuestions />,
  };
}

function approvalsOf({ parts }: MessageView): string[] {
  return parts.flatMap((part) => (part.type === 'tool' && part.approval ? [part.approval.id] : []));
}

/** A branch keeps its id when it gets another name. */
function keyOf({ branchId, branch }: SideQuestionView): string {
  return branchId ?? branch;
}

/** At most one card is open: the newest, until the user opens another one. */
function SideQuestions(): JSX.Element {
  const sideQuestions = usePage().sideQuestions.value;
  const newest = sideQuestions.at(-1);
  const newestKey = newest && keyOf(newest);
  const [open, setOpen] = useState(newestKey);
  useLayoutEffect(() => setOpen(newestKey), [newestKey]);
  return (
    <section class="side-questions" aria-label={t('By the way')}>
      {sideQuestions.map((sideQuestion) => {
        const key = keyOf(sideQuestion);
        return (
          <SideQuestion
            key={key}
            sideQuestion={sideQuestion}
            isOpen={key === open}
            onToggle={() => setOpen(key === open ? undefined : key)}
          />
        );
      })}
    </section>
  );
}

function SideQuestion({
  sideQuestion,
  isOpen,
  onToggle,
}: {
  sideQuestion: SideQuestionView;
  isOpen: boolean;
  onToggle: () => void;
}): JSX.Element {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const { branch, question, earlier = [], answer, canAnswer } = sideQuestion;
  const isStreaming = answer?.status === 'streaming';
  const box = useRef<HTMLDivElement>(null);
  useFollowUpInView(box, earlier.filter(({ role }) => role === 'user').length, answer);
  return (
    <article class="aside" data-branch={branch}>
      <div class="aside-head">
        <button
          type="button"
          class="aside-title"
          aria-expanded={isOpen}
          title={withHiddenSpelledOut(question)}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <Icon name="comment" />
          <span class="visually-hidden">{t('By the way')}: </span>
          <span class="aside-question" dir="auto">
            <HiddenMarked text={question} />
          </span>
          {isStreaming && (
            <>
              <Icon name="loading" spin />
              <span class="visually-hidden">{t('Answering…')}</span>
            </>
          )}
        </button>
        {isStreaming && (
          <IconButton
            icon="debug-stop"
            label={t('Stop this answer')}
            onClick={() => host.send({ type: 'stopAnswer', branch })}
          />
        )}
        <IconButton
          icon="git-merge"
          label={t('Merge Summary…')}
          disabled={isReadOnly || isStreaming}
          onClick={() => host.send({ type: 'mergeSideQuestion', branch })}
        />
        <IconButton
          icon="git-branch"
          label={t('Continue in Chat')}
          onClick={() => host.send({ type: 'switchBranch', branch })}
        />
        <IconButton
          icon="trash"
          label={t('Discard')}
          disabled={isReadOnly}
          onClick={() => host.send({ type: 'discardSideQuestion', branch })}
        />
        <IconButton
          icon="close"
          label={t('Close; the branch stays in the tree')}
          onClick={() => host.send({ type: 'dismissSideQuestion', branch })}
        />
      </div>
      {isOpen && (
        <>
          <div ref={box} class="aside-answer" tabIndex={0} role="region" aria-label={t('Answer')}>
            {earlier.map((message) => (
              <SideMessage key={message.id} message={message} branch={branch} />
            ))}
            {answer && <SideMessage message={answer} branch={branch} />}
            {canAnswer && (
              <Unanswered
                isReadOnly={isReadOnly}
                onAnswer={() => host.send({ type: 'retryAnswer', branch })}
              />
            )}
          </div>
          <FollowUp sideQuestion={sideQuestion} isBusy={isStreaming} />
        </>
      )}
    </article>
  );
}

/** The newest follow-up goes to the top of its card, as far as its answer fills it, until the user scrolls. */
function useFollowUpInView(
  box: RefObject<HTMLElement | null>,
  asked: number,
  answer: MessageView | undefined,
): void {
  const seen = useRef(0);
  /** Where the card was scrolled to; undefined while it is the user's. */
  const top = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const card = box.current;
    const question = [...(card?.querySelectorAll('.aside-follow-up') ?? [])].at(-1);
    const isNew = asked > seen.current;
    seen.current = asked;
    if (!card || !question) return;
    if (!isNew && (top.current === undefined || Math.abs(card.scrollTop - top.current) > 1)) {
      top.current = undefined;
      return;
    }
    card.scrollTop += question.getBoundingClientRect().top - card.getBoundingClientRect().top;
    top.current = card.scrollTop;
  }, [asked, answer]);
}

function SideMessage({ message, branch }: { message: MessageView; branch: string }): JSX.Element {
  if (message.report) return <Report message={message} report={message.report} />;
  if (message.role === 'assistant') {
    return (
      <>
        <AnswerParts messageId={message.id} parts={message.parts} />
        <Sources message={message} />
        <MessageStatus message={message} sideBranch={branch} />
      </>
    );
  }
  const text = textOfParts(message);
  return (
    <div class="aside-follow-up">
      <AnnouncedMessage id={`${message.id} said`} text={text} moment={message.createdAt} />
    </div>
  );
}

/** The text is the draft of its branch. */
function FollowUp({
  sideQuestion,
  isBusy,
}: {
  sideQuestion: SideQuestionView;
  /** The previous answer is still being written: the question waits for it. */
  isBusy: boolean;
}): JSX.Element {
  const page = usePage();
  const { drafts, host, conversation } = page;
  const { branch } = sideQuestion;
  const key = keyOf(sideQuestion);
  const [text, setText] = useState(() => drafts.get(key).text);
  const input = useRef<HTMLTextAreaElement>(null);
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const trimmed = text.trim();
  const canSend = !isReadOnly && !isBusy && trimmed !== '';
  const type = (value: string): void => {
    setText(value);
    drafts.keep(key, { ...drafts.get(key), text: value });
  };
  const send = (): void => {
    if (!canSend) return;
    if (trimmed.length > MAX_QUESTION_LENGTH) {
      page.fail(t('This is too long to ask: at most {0} characters.', numberText(MAX_QUESTION_LENGTH)));
      return;
    }
    host.send({ type: 'askSideQuestion', text: trimmed, branch });
    type('');
    // The pressed button is disabled.
    focusTextBox(input.current);
  };
  return (
    <div class="follow-up">
      <textarea
        ref={input}
        rows={1}
        aria-label={t('Follow-up')}
        placeholder={t('Ask a follow-up')}
        disabled={isReadOnly}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isOfInputMethod(event) || event.key !== 'Enter' || event.shiftKey) return;
          event.preventDefault();
          send();
        }}
      />
      <IconButton icon="send" label={t('Send Follow-up')} disabled={!canSend} onClick={send} />
    </div>
  );
}
