import { OffshootError } from '../../engine/errors.ts';
import type { MessageDescriptor } from '../../engine/messageDescriptor.ts';
import type { Notice } from './notice.ts';

/** Why an answer could not be started or ended early. */
export class ModelError extends OffshootError {}

/** Error codes for a model that an account or a gateway does not offer, although the model in use works. */
const NOT_OFFERED: ReadonlySet<string> = new Set(['model-not-found', 'forbidden', 'refused']);

/** Whether the model in use takes over a task that failed on a small model with this code. */
export function isNotOffered(code: string | undefined): boolean {
  return code !== undefined && NOT_OFFERED.has(code);
}

/** An error that ended an answer. The answer keeps it as a notice. */
export interface AnswerError extends Notice {
  /** Its text if a part of the answer is saved. Whether one is, only the code that keeps the answer knows. */
  readonly ifPartSaved?: MessageDescriptor;
}
