import { OffshootError } from '../engine/errors.ts';

/** Why an answer could not be had or ended early. The text is shown to the person as it is. */
export class ModelError extends OffshootError {}

/** What is kept of an error in the answer it ended. */
export interface AnswerError {
  readonly code: string;
  readonly message: string;
}
