import type { AnswerData } from '../answerData.ts';
import type { UnfinishedAnswer } from './answerTypes.ts';

/** A stored answer as callers see it. */
export function unfinishedAnswer(answer: AnswerData): UnfinishedAnswer {
  const { id, status, error, branch, userId, updatedAt } = answer;
  return {
    id,
    status,
    message: answer.message ?? { id, role: 'assistant', parts: [] },
    ...(error === undefined ? {} : { error }),
    branch,
    userId,
    updatedAt,
  };
}
