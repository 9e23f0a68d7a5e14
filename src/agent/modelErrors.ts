import { OffshootError } from '../engine/errors.ts';
import type { Notice } from './notice.ts';

/** Why an answer could not be had or ended early. */
export class ModelError extends OffshootError {}

/** Codes of errors of a model that an account or a gateway does not offer; the one in use is there. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['model-not-found', 'forbidden', 'refused']);

/** Whether a task that a small model failed at with this code is given to the model in use. */
export function isNotOffered(code: string | undefined): boolean {
  return code !== undefined && NOT_OFFERED.has(code);
}

/** What is kept of an error in the answer it ended. */
export type AnswerError = Notice;
