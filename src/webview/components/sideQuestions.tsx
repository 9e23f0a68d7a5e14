import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { withHiddenSpelledOut } from '../../protocol/hiddenCharacters.ts';
import type { SideQuestionView } from '../../protocol/views.ts';
import { t } from '../state/texts.ts';
import { AnswerParts } from './answerParts.tsx';
import { HiddenMarked } from './hiddenMarked.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';
import { MessageStatus } from './messageStatus.tsx';
import { usePage } from './pageContext.ts';

/** Side questions: beside the conversation, each on a branch of its own. */
export function SideQuestions(): JSX.Element | null {
  const sideQuestions = usePage().sideQuestions.value;
  if (sideQuestions.length === 0) return null;
  return (
    <section class="sideQuestions" aria-label={t('By the way')}>
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
  const { host } = usePage();
  const { branch, question, answer } = sideQuestion;
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
          icon="git-branch"
          label={t('Continue in Chat')}
          onClick={() => host.send({ type: 'switchBranch', branch })}
        />
        <IconButton
          icon="close"
          label={t('Close; the branch stays in the tree')}
          onClick={() => host.send({ type: 'dismissSideQuestion', branch })}
        />
      </div>
      {isOpen && answer && (
        <div class="aside-answer" tabIndex={0} role="region" aria-label={t('Answer')}>
          <AnswerParts messageId={answer.id} parts={answer.parts} />
          <MessageStatus message={answer} />
        </div>
      )}
    </article>
  );
}
