import type { JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { z } from 'zod';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import { MAX_OWN_WORDS } from '../../protocol/chatFromPage.ts';
import type { QuestionsView } from '../../protocol/views.ts';
import type { Host } from '../answersConnection.ts';
import { isOfInputMethod } from '../inputMethod.ts';
import { t } from '../state/texts.ts';
import { HiddenMarked } from './hiddenMarked.tsx';
import { usePage } from './pageContext.ts';

type AskedQuestion = QuestionsView['asked'][number];

const answerSchema = z.object({ chosen: z.array(z.number()), text: z.string() });
type Answer = z.infer<typeof answerSchema>;

const draftSchema = z.tuple([z.string(), z.array(answerSchema)]);
const memorySchema = z.object({ answers: z.array(draftSchema) }).catch({ answers: [] });

/** Of so many cards what is not sent yet is kept; the oldest are removed first. */
const MAX_DRAFTS = 20;

const nothing: Answer = { chosen: [], text: '' };

/** What the agent asks, to be answered here; else what was asked, with the answers. */
export function UserQuestions({
  questions,
  onAnswered,
}: {
  questions: QuestionsView;
  onAnswered: () => void;
}): JSX.Element {
  const { id, asked } = questions;
  return id === undefined ? (
    <Answered questions={questions} />
  ) : (
    <QuestionCard key={id} id={id} asked={asked} onAnswered={onAnswered} />
  );
}

function QuestionCard({
  id,
  asked,
  onAnswered,
}: {
  id: string;
  asked: readonly AskedQuestion[];
  onAnswered: () => void;
}): JSX.Element {
  const { host } = usePage();
  const [answers, setAnswers] = useAnswerDraft(host.memory, id, asked.length);
  const isEmpty = answers.every(({ chosen, text }) => chosen.length === 0 && text.trim() === '');
  const send = (given: readonly Answer[] | undefined): void => {
    host.send({
      type: 'answerQuestions',
      id,
      ...(given ? { answers: given.map(({ chosen, text }) => ({ chosen, text: text.trim() })) } : {}),
    });
    onAnswered();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, repeat } = event;
    if (key !== 'Enter' || !(ctrlKey || metaKey) || altKey || shiftKey || repeat) return;
    if (isEmpty || isOfInputMethod(event)) return;
    event.preventDefault();
    send(answers);
  };
  return (
    <div class="questions" role="group" aria-label={t('Questions')} onKeyDown={onKeyDown}>
      <p class="visually-hidden" role="alert">
        {asked.map(({ question }) => withHiddenSpelledOut(question)).join(' ')}
      </p>
      {asked.map((question, index) => (
        <Question
          key={index}
          question={question}
          answer={answers[index] ?? nothing}
          onChange={(answer) => setAnswers(answers.map((each, at) => (at === index ? answer : each)))}
        />
      ))}
      <div class="approval-choices">
        <button
          type="button"
          class="approval-button primary"
          title="Ctrl+Enter"
          aria-disabled={isEmpty}
          onClick={() => {
            if (!isEmpty) send(answers);
          }}
        >
          {asked.length === 1 ? t('Send Answer') : t('Send Answers')}
        </button>
        <button type="button" class="approval-button" onClick={() => send(undefined)}>
          {t('Decide for Me')}
        </button>
      </div>
    </div>
  );
}

function Question({
  question: { question, options, several },
  answer,
  onChange,
}: {
  question: AskedQuestion;
  answer: Answer;
  onChange: (answer: Answer) => void;
}): JSX.Element {
  const name = useId();
  const choose = (index: number, isChosen: boolean): void => {
    const others = several ? answer.chosen.filter((each) => each !== index) : [];
    onChange({ ...answer, chosen: isChosen ? [...others, index].sort((one, other) => one - other) : others });
  };
  return (
    <fieldset class="asked" role={several ? 'group' : 'radiogroup'} aria-labelledby={`${name} question`}>
      <legend id={`${name} question`} dir="auto">
        <HiddenMarked text={question} />
      </legend>
      {options.map(({ label, detail }, index) => (
        <label key={index} class="asked-option">
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            checked={answer.chosen.includes(index)}
            onChange={(event) => choose(index, event.currentTarget.checked)}
          />
          <span dir="auto">
            <HiddenMarked text={label} />
            {detail !== undefined && (
              <span class="asked-detail">
                <HiddenMarked text={detail} />
              </span>
            )}
          </span>
        </label>
      ))}
      <textarea
        class="asked-words"
        rows={1}
        dir="auto"
        maxLength={MAX_OWN_WORDS}
        aria-label={t('In your own words: {0}', withHiddenSpelledOut(question))}
        placeholder={t('In your own words')}
        value={answer.text}
        onInput={(event) => onChange({ ...answer, text: event.currentTarget.value })}
      />
    </fieldset>
  );
}

/** Also where another window asks: nothing can be answered there. */
function Answered({ questions: { asked, isAnswered } }: { questions: QuestionsView }): JSX.Element {
  return (
    <dl class="answered">
      {asked.map(({ question, options, answer }, index) => (
        <div key={index}>
          <dt dir="auto">
            <HiddenMarked text={question} />
          </dt>
          {isAnswered ? (
            linesOf(options, answer).map((line, at) => (
              <dd key={at} dir="auto">
                <HiddenMarked text={line} />
              </dd>
            ))
          ) : (
            <dd class="unanswered" dir="auto">
              <HiddenMarked text={options.map(({ label }) => label).join(t(', '))} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function linesOf(options: AskedQuestion['options'], answer: Answer | undefined): string[] {
  const { chosen, text } = answer ?? nothing;
  const lines = [...chosen.flatMap((each) => options[each]?.label ?? []), ...(text === '' ? [] : [text])];
  return lines.length === 0 ? [t('Left to the model')] : lines;
}

/** What is chosen and typed, kept over a reload of the page. */
function useAnswerDraft(
  memory: Host['memory'],
  id: string,
  count: number,
): [readonly Answer[], (answers: readonly Answer[]) => void] {
  const kept = useRef(memorySchema.parse(memory.get()).answers.find(([each]) => each === id)?.[1]);
  const [answers, setAnswers] = useState<readonly Answer[]>(() =>
    Array.from({ length: count }, (_, index) => kept.current?.[index] ?? nothing),
  );
  return [
    answers,
    (next) => {
      setAnswers(next);
      const others = memorySchema.parse(memory.get()).answers.filter(([each]) => each !== id);
      memory.set({ answers: [...others.slice(1 - MAX_DRAFTS), [id, next]] });
    },
  ];
}
