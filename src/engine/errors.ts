import type { ZodError } from 'zod';
import { MAX_MESSAGE_BYTES, MAX_SAVE_LENGTH } from './limits.ts';
import { formatInEnglish, defineMessage, verbatim, type MessageDescriptor } from './messageDescriptor.ts';

/** Every error Offshoot throws on purpose: `code` is for programs, `message` explains to a user what to do. */
export class OffshootError extends Error {
  /** The message, independent of language. */
  readonly descriptor: MessageDescriptor;

  /** @param said a message descriptor, or a text already in the language of the user */
  constructor(
    readonly code: string,
    message: MessageDescriptor | string,
    options?: ErrorOptions,
  ) {
    const meant = typeof message === 'string' ? verbatim(message) : message;
    super(formatInEnglish(meant), options);
    this.descriptor = meant;
    this.name = new.target.name;
  }
}

/** The message of an error, for use inside another text shown to a user. */
export function errorDescriptor(error: unknown): MessageDescriptor {
  if (error instanceof OffshootError) return error.descriptor;
  return verbatim(error instanceof Error ? error.message : String(error));
}

/** The chat does not exist or belongs to another user; which of the two is not disclosed. */
export class ChatNotFoundError extends OffshootError {
  constructor(readonly chatId: string) {
    super('chat-not-found', defineMessage('Chat "{0}" not found', chatId));
  }
}

/** `createChat` was given the id of an existing chat. */
export class ChatExistsError extends OffshootError {
  constructor(readonly chatId: string) {
    super(
      'chat-exists',
      defineMessage('Chat "{0}" already exists. Use another id, or upsertChat to open it.', chatId),
    );
  }
}

/** No chat has a message of this id. */
export class MessageNotFoundError extends OffshootError {
  constructor(readonly messageId: string) {
    super('message-not-found', defineMessage('Message "{0}" not found', messageId));
  }
}

/** Another message of the chat, saved since the caller last looked, has this id. */
export class MessageExistsError extends OffshootError {
  constructor(readonly messageId: string) {
    super(
      'message-exists',
      defineMessage(
        'Message "{0}" already exists. Messages never change: save it under another id.',
        messageId,
      ),
    );
  }
}

/** The message belongs to another chat. */
export class ForeignMessageError extends OffshootError {
  constructor(readonly messageId: string) {
    super('message-of-another-chat', defineMessage('Message "{0}" belongs to a different chat', messageId));
  }
}

/** The chat has no turn of this id. */
export class InvocationNotFoundError extends OffshootError {
  constructor(readonly invocationId: string) {
    super('invocation-not-found', defineMessage('Invocation ID not found: {0}', invocationId));
  }
}

/** The chat has no branch of this name. */
export class BranchNotFoundError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-not-found', defineMessage('Branch "{0}" not found', branch));
  }
}

/** The new name of a branch is already taken. */
export class BranchExistsError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-exists', defineMessage('Branch "{0}" already exists. Choose another name.', branch));
  }
}

/** The active branch cannot be archived or deleted. */
export class ActiveBranchError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-active', defineMessage('Branch "{0}" is active. Switch to another branch first.', branch));
  }
}

/** The last branch of a chat cannot be deleted. */
export class LastBranchError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'branch-last',
      defineMessage('Branch "{0}" is the only one of its chat. Delete the chat instead.', branch),
    );
  }
}

/** The deleted item is no longer in the trash. */
export class TrashEntryNotFoundError extends OffshootError {
  constructor() {
    super('not-in-trash', defineMessage('No longer in the trash. It was restored or permanently deleted.'));
  }
}

/** The deleted item conflicts with what exists now. */
export class TrashConflictError extends OffshootError {
  constructor(reason: MessageDescriptor) {
    super('trash-conflict', defineMessage('Can’t restore this: {0}.', reason));
  }
}

/** How much of each text from a file an error quotes, in UTF-16 units. */
const QUOTED_LENGTH = 200;

function bounded({ template, args }: MessageDescriptor): MessageDescriptor {
  const cut = (text: string): string =>
    text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH).toWellFormed()}…` : text;
  return defineMessage(
    template,
    ...args.map((arg) => (typeof arg === 'string' ? cut(arg) : typeof arg === 'object' ? bounded(arg) : arg)),
  );
}

/** A file holds something that cannot be imported; the message gives the place. */
export class ImportError extends OffshootError {
  constructor(problem: MessageDescriptor, options?: ErrorOptions) {
    super(
      'import-failed',
      defineMessage('This cannot be imported: {0}. Nothing was changed.', bounded(problem)),
      options,
    );
  }

  /** The first problem and its position. @param root what the path begins with */
  static of(error: ZodError, root: string): ImportError {
    const [issue] = error.issues;
    const steps = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    const place = `${root}${steps?.join('') ?? ''}`;
    return new ImportError(
      defineMessage('{0}: {1}', place, withoutPeriod(issue?.message) ?? defineMessage('it cannot be read')),
      {
        cause: error,
      },
    );
  }
}

function withoutPeriod(sentence: string | undefined): string | undefined {
  return sentence?.replace(/\.$/, '');
}

/** The chat has no checkpoint of this name. */
export class CheckpointNotFoundError extends OffshootError {
  constructor(readonly checkpoint: string) {
    super('checkpoint-not-found', defineMessage('Checkpoint "{0}" not found', checkpoint));
  }
}

/** The new name of a checkpoint is already taken. */
export class CheckpointExistsError extends OffshootError {
  constructor(readonly checkpoint: string) {
    super(
      'checkpoint-exists',
      defineMessage('Checkpoint "{0}" already exists. Choose another name.', checkpoint),
    );
  }
}

/** The conversation has no message yet that a checkpoint or a side branch could point to. */
export class EmptyConversationError extends OffshootError {
  constructor(what: 'checkpoint' | 'btw branch') {
    super(
      'conversation-empty',
      what === 'checkpoint'
        ? defineMessage('Cannot create checkpoint: no messages in conversation')
        : defineMessage('Cannot create btw branch: no messages in conversation'),
    );
  }
}

/** Another engine moved the branch's head since it was last read. Nothing was stored; messages stay pending. */
export class HeadConflictError extends OffshootError {
  constructor(
    readonly branch: string,
    readonly expectedHead: string | null,
    readonly actualHead: string | null,
  ) {
    super(
      'head-conflict',
      defineMessage(
        "Branch \"{0}\" has moved on since it was read. Call resolve() to see what came, then save again, or create the engine with onHeadConflict: 'fork' to keep both, or 'graft' to save after what came.",
        branch,
      ),
    );
  }
}

/** A name or an id that cannot be stored: empty, too long, or with invisible characters. */
export class InvalidNameError extends OffshootError {
  constructor(what: string | MessageDescriptor, problem: MessageDescriptor) {
    super('invalid-name', defineMessage('This {0} cannot be used: {1}.', what, problem));
  }
}

/** A call was given an argument it cannot take: missing, or not of the declared type. */
export class InvalidArgumentError extends OffshootError {
  constructor(what: string | MessageDescriptor, problem: MessageDescriptor) {
    super('invalid-argument', defineMessage('This {0} cannot be used: {1}.', what, problem));
  }
}

/** The data holds something JSON cannot. `path` leads to it, as in `parts[0].input.when`. */
export class NotStorableError extends OffshootError {
  constructor(
    readonly path: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super('not-storable', defineMessage('{0} cannot be stored: {1}.', path, problem), options);
  }
}

/** A message is larger than {@link MAX_MESSAGE_BYTES}. Nothing was stored. */
export class MessageTooLargeError extends OffshootError {
  constructor(readonly messageId: string) {
    super(
      'message-too-large',
      defineMessage(
        'Message "{0}" is larger than {1} MB and wasn\'t saved. Split it, or keep the large part as an artifact.',
        messageId,
        Math.round(MAX_MESSAGE_BYTES / 1_000_000),
      ),
    );
  }
}

/** One call would store more than {@link MAX_SAVE_LENGTH}. Nothing was stored. */
export class SaveTooLargeError extends OffshootError {
  constructor() {
    super(
      'save-too-large',
      defineMessage(
        'This is more than can be saved at once ({0} million characters). Nothing was saved. Save it in smaller portions.',
        Math.round(MAX_SAVE_LENGTH / 1_000_000),
      ),
    );
  }
}

/** No codec reads this fragment type, or writes the fragment of this name. */
export class UnknownFragmentError extends OffshootError {
  constructor(readonly fragmentType: string) {
    super(
      'fragment-unknown',
      defineMessage('No codec knows fragments of type "{0}". Add one to the registry.', fragmentType),
    );
  }
}

/** What comes later cannot be rendered synchronously, be part of a message, or be the condition of a reminder. */
export class AsyncFragmentError extends OffshootError {
  constructor() {
    super(
      'async-fragment',
      defineMessage(
        'Nothing waits for a promise here. Await it first; what is in a fragment of the system prompt, resolve() waits for.',
      ),
    );
  }
}

/** A promise, a function or an async iterable in a fragment failed; `cause` is how. */
export class FragmentLoadError extends OffshootError {
  constructor(
    /** The name of the fragment. */
    readonly fragment: string,
    cause: unknown,
  ) {
    super(
      'fragment-not-loaded',
      defineMessage('Fragment "{0}" could not be loaded: {1}', fragment, errorDescriptor(cause)),
      { cause },
    );
  }
}

/** `continue` was given an answer that is not the one being filled on this branch. */
export class AnswerNotOpenError extends OffshootError {
  constructor(
    readonly messageId: string,
    readonly branch: string,
  ) {
    super(
      'answer-not-open',
      defineMessage(
        'Answer "{0}" is not open on branch "{1}": it is stored, or was never reserved. Reserve one with continue(user(…)), or store it with set() and save().',
        messageId,
        branch,
      ),
    );
  }
}

/** Another program keeps an unfinished answer on the branch, which an open answer would replace. */
export class AnswerInProgressError extends OffshootError {
  constructor(readonly branch: string) {
    super(
      'answer-in-progress',
      defineMessage(
        'Another program keeps an unfinished answer on branch "{0}". Let it finish, or remove that with deleteDraft().',
        branch,
      ),
    );
  }
}

/** How much of a reminder's text an error quotes, in UTF-16 units. */
const QUOTED_REMINDER = 60;

/** The condition or the text of a reminder failed, see `cause`. Nothing was sent or saved, and nothing is used up. */
export class ReminderFailedError extends OffshootError {
  /** @param text undefined for one whose text is a function */
  constructor(
    readonly target: string,
    readonly text: string | undefined,
    cause: unknown,
  ) {
    const quoted =
      text === undefined ? '(text by a function)' : JSON.stringify(text.slice(0, QUOTED_REMINDER));
    super(
      'reminder-failed',
      defineMessage(
        'The reminder {0} for "{1}" failed. Correct its condition or its text, then try again. What it reports: {2}',
        quoted,
        target,
        errorDescriptor(cause),
      ),
      { cause },
    );
  }
}

/** The condition or the text of a reminder called the engine that asks it: each would wait for the other. */
export class EngineBusyError extends OffshootError {
  constructor() {
    super(
      'engine-busy',
      defineMessage(
        'A reminder cannot call the engine that asks it. Read what it needs from its context, or beforehand.',
      ),
    );
  }
}

/** The graph names bytes that the blob store does not have: another program removed them. */
export class ArtifactNotFoundError extends OffshootError {
  constructor(readonly artifact: string) {
    super(
      'artifact-not-found',
      defineMessage('The bytes of artifact "{0}" are missing from the blob store.', artifact),
    );
  }
}

/** Another window writes to this database, or a newer version wrote the file. */
export class ReadOnlyError extends OffshootError {
  constructor(reason: MessageDescriptor) {
    super('read-only', reason);
  }
}

/** The file holds data that this program never writes. */
export class DamagedDataError extends OffshootError {
  constructor(problem: string, options?: ErrorOptions) {
    super('damaged-data', defineMessage('The conversation database is damaged: {0}.', problem), options);
  }
}

/** An engine or a store was used after it was closed. */
export class ClosedError extends OffshootError {
  constructor(what: string) {
    super('closed', defineMessage('This {0} has been closed. Create a new one.', what));
  }
}
