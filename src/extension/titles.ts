import { oneLine } from './oneLine.ts';

/** The longest title made of a question, in characters. */
const MAX_LENGTH = 60;

/** A title from the first line of a question. */
export function titleFrom(question: string): string {
  const [line = ''] = question.trim().split('\n', 1);
  return oneLine(line, MAX_LENGTH);
}
