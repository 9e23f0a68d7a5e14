import { z } from 'zod';
import {
  AnswerCancelledError,
  AnswerNotFoundError,
  AnswerRunningError,
  AnswerTakenError,
} from '../../engine/answers/answerErrors.ts';
import {
  ActiveBranchError,
  BranchExistsError,
  BranchNotFoundError,
  ChatExistsError,
  ChatNotFoundError,
  CheckpointExistsError,
  CheckpointNotFoundError,
  DamagedDataError,
  ForeignMessageError,
  HeadConflictError,
  ImportError,
  InvalidArgumentError,
  InvalidNameError,
  InvocationNotFoundError,
  LastBranchError,
  MessageExistsError,
  MessageNotFoundError,
  MessageTooLargeError,
  NotStorableError,
  OffshootError,
  ReadOnlyError,
  SaveTooLargeError,
  TrashConflictError,
  TrashEntryNotFoundError,
} from '../../engine/errors.ts';
import { messageDescriptorSchema, verbatim } from '../../engine/messageDescriptor.ts';

/** An error sent between processes: its code identifies its class. */
export const wireError = z.object({
  code: z.string(),
  message: messageDescriptorSchema,
  /** Further members of the class: the id or the name it is about. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type WireError = z.infer<typeof wireError>;

type ErrorClasses = Readonly<Record<string, { readonly name: string; readonly prototype: OffshootError }>>;

const classes: ErrorClasses = {
  'chat-not-found': ChatNotFoundError,
  'chat-exists': ChatExistsError,
  'message-not-found': MessageNotFoundError,
  'message-exists': MessageExistsError,
  'message-of-another-chat': ForeignMessageError,
  'invocation-not-found': InvocationNotFoundError,
  'branch-not-found': BranchNotFoundError,
  'branch-exists': BranchExistsError,
  'branch-active': ActiveBranchError,
  'branch-last': LastBranchError,
  'not-in-trash': TrashEntryNotFoundError,
  'trash-conflict': TrashConflictError,
  'import-failed': ImportError,
  'checkpoint-not-found': CheckpointNotFoundError,
  'checkpoint-exists': CheckpointExistsError,
  'head-conflict': HeadConflictError,
  'invalid-name': InvalidNameError,
  'invalid-argument': InvalidArgumentError,
  'not-storable': NotStorableError,
  'message-too-large': MessageTooLargeError,
  'save-too-large': SaveTooLargeError,
  'damaged-data': DamagedDataError,
  'read-only': ReadOnlyError,
  'answer-running': AnswerRunningError,
  'answer-not-found': AnswerNotFoundError,
  'answer-cancelled': AnswerCancelledError,
  'answer-taken': AnswerTakenError,
};

export function toWireError(error: unknown): WireError {
  if (!(error instanceof OffshootError)) {
    const text = error instanceof Error ? error.message : String(error);
    return { code: 'writer-failed', message: verbatim(text), details: {} };
  }
  const { code, descriptor: message } = error;
  const details: WireError['details'] = {};
  const members: readonly [string, unknown][] = Object.entries(error);
  for (const [name, value] of members) {
    const isKnown = name === 'code' || name === 'name' || name === 'descriptor';
    if (!isKnown && (typeof value === 'string' || typeof value === 'number' || value === null)) {
      details[name] = value;
    }
  }
  return { code, message, details };
}

/** An error of another process, with its original class. @param further classes */
export function fromWireError({ code, message, details }: WireError, further: ErrorClasses): Error {
  const error = new OffshootError(code, message);
  const all: ErrorClasses = { ...classes, ...further };
  const known = Object.hasOwn(all, code) ? all[code] : undefined;
  if (!known) return error;
  Reflect.setPrototypeOf(error, known.prototype);
  return Object.assign<Error, object>(error, { ...details, name: known.name });
}
