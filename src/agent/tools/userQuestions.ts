import { z } from 'zod';

export const ASK_USER = 'ask_user';

/** How much of each text is taken, in UTF-16 units: what is asked has to be read at a glance. */
const MAX_QUESTION = 500;
const MAX_LABEL = 100;
const MAX_DETAIL = 300;

export const MAX_QUESTIONS = 4;
export const MAX_OPTIONS = 6;

const userQuestion = z.object({
  question: z.string().trim().min(1).max(MAX_QUESTION),
  options: z
    .array(
      z.object({
        label: z.string().trim().min(1).max(MAX_LABEL),
        detail: z.string().trim().min(1).max(MAX_DETAIL).optional(),
      }),
    )
    .min(2)
    .max(MAX_OPTIONS)
    .refine((options) => new Set(options.map(({ label }) => label)).size === options.length, {
      error: 'Each option needs a label of its own.',
    }),
  several: z.boolean().optional().describe('More than one may be chosen.'),
});
export type UserQuestion = z.infer<typeof userQuestion>;

export const userQuestions = z.object({ questions: z.array(userQuestion).min(1).max(MAX_QUESTIONS) });

const questionAnswer = z.object({
  /** The indexes of the chosen options. */
  chosen: z.array(z.int().min(0)),
  /** In the user's own words; empty if there are none. */
  text: z.string(),
});
export type QuestionAnswer = z.infer<typeof questionAnswer>;

/** What a call keeps of what was answered, for those who show it. */
const answeredDetails = z.looseObject({
  details: z.looseObject({ answers: z.array(questionAnswer).optional(), isLeft: z.literal(true).optional() }),
});

/** @param output of a call; `isLeft`: the user left everything to the model */
export function answeredIn(
  output: unknown,
):
  | { readonly answers?: readonly QuestionAnswer[] | undefined; readonly isLeft?: true | undefined }
  | undefined {
  return answeredDetails.safeParse(output).data?.details;
}

/** Whether these can be answers to the questions: each one's choices are among its options, and one alone where it has to be. */
export function canAnswer(questions: readonly UserQuestion[], answers: readonly QuestionAnswer[]): boolean {
  return (
    answers.length === questions.length &&
    answers.every(({ chosen }, index) => {
      const question = questions[index];
      if (!question || new Set(chosen).size !== chosen.length) return false;
      return (
        chosen.every((each) => each < question.options.length) &&
        (question.several === true || chosen.length <= 1)
      );
    })
  );
}
