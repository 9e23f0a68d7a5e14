import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { MessageView, SideQuestionView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { AnnouncedMessage } from './announcedMessage.tsx';
import { AnswerParts } from './answerParts.tsx';
import { FollowUp } from './followUp.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';
import { MessageStatus, Unanswered } from './messageStatus.tsx';
import { usePage } from './pageContext.ts';
import { Report } from './report.tsx';
import { Sources } from './sources.tsx';

/** Side questions next to the conversation, each on a separate branch. */
export function SideQuestions(): JSX.Element | null {
  const sideQuestions = usePage().sideQuestions.value;
  if (sideQuestions.length === 0) return null;
  return (
    <section class="asides" aria-label={t('By the way')}>
      {sideQuestions.map((sideQuestion, index) => (
        <SideQuestion
          key={sideQuestion.branch}
          sideQuestion={sideQuestion}
          startsOpen={index === sideQuestions.length - 1}
        />
      ))}
    </section>
  );
}

function SideQuestion({
  sideQuestion,
  startsOpen,
}: {
  sideQuestion: SideQuestionView;
  startsOpen: boolean;
}): JSX.Element {
  const { host, conversation } = usePage();
  const isReadOnly = conversation.value?.isReadOnly ?? true;
  const { branch, question, earlier = [], answer, canAnswer } = sideQuestion;
  const [isOpen, setOpen] = useState(startsOpen);
  const isStreaming = answer?.status === 'streaming';
  return (
    <article class="aside" data-branch={branch}>
      <div class="aside-head">
        <button
          type="button"
          class="aside-title"
          aria-expanded={isOpen}
          title={withHiddenSpelledOut(question)}
          onClick={() => setOpen(!isOpen)}
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
          <div class="aside-answer" tabIndex={0} role="region" aria-label={t('Answer')}>
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

/** A follow-up, an answer, or the summary of compacted messages. */
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
  const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  return (
    <div class="aside-follow-up">
      <AnnouncedMessage id={`${message.id} said`} text={text} moment={message.createdAt} />
    </div>
  );
}
