import { defineMessage, type MessageDescriptor } from '../engine/messageDescriptor.ts';
import type { AnswerError } from './modelErrors.ts';
import { createNotice } from './notice.ts';

const SAVED = ' Partial response saved.';

/** Messages for an answer that ended before its first word. */
const withoutSaved: readonly MessageDescriptor[] = [
  defineMessage('Connection to the model server lost.'),
  defineMessage('The model server ended its response early.'),
  defineMessage(
    'The model server sent data that isn’t part of its protocol. If it happens again, check that the address is one of an OpenAI-compatible server.',
  ),
];

/** The error of an answer that ended with no content: it does not claim that a part was saved. */
export function nothingSaved(error: AnswerError): AnswerError {
  const template = error.phrase?.template.replace(SAVED, '');
  const variant = withoutSaved.find((each) => each.template === template);
  return variant ? createNotice(error.code, variant) : error;
}
