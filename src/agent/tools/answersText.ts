import type { ToolOutput } from './tool.ts';
import type { QuestionAnswer, UserQuestion } from './userQuestions.ts';

/** @param answers undefined: the user leaves everything to the model */
export function answersOutput(
  questions: readonly UserQuestion[],
  answers: readonly QuestionAnswer[] | undefined,
): ToolOutput {
  return answers
    ? { text: answersText(questions, answers), details: { answers } }
    : { text: 'The user leaves this to you: decide, and say what you decided.', details: { isLeft: true } };
}

function answersText(questions: readonly UserQuestion[], answers: readonly QuestionAnswer[]): string {
  return questions
    .map(({ question, options }, index) => {
      const { chosen = [], text = '' } = answers[index] ?? {};
      const lines = [
        ...chosen.map((each) => options[each]?.label ?? ''),
        ...(text.trim() === '' ? [] : [`In their own words: ${text.trim()}`]),
      ];
      return [question, ...(lines.length === 0 ? ['Left to you.'] : lines).map((line) => `- ${line}`)].join(
        '\n',
      );
    })
    .join('\n\n');
}
