import { OffshootError } from '../engine/errors.ts';
import type { Notice } from './notice.ts';

/** Why an answer could not be had or ended early. */
export class ModelError extends OffshootError {}

/** What is kept of an error in the answer it ended. */
export type AnswerError = Notice;
