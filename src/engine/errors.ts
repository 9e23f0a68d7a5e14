import type { ZodError } from 'zod';
/** Every error Offshoot throws on purpose: `code` is for programs, `message` tells a person what to do. */
export class OffshootError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There is no such chat, or it belongs to another user; which of the two is not told. */
export class ChatNotFoundError extends OffshootError {
  constructor(readonly chatId: string) {
    super('chat-not-found', `Chat "${chatId}" not found`);
  }
}

/** `createChat` was given the id of a chat there is. */
export class ChatExistsError extends OffshootError {
  constructor(readonly chatId: string) {
    super('chat-exists', `Chat "${chatId}" already exists. Use another id, or upsertChat to open it.`);
  }
}

/** No chat has a message of this id. */
export class MessageNotFoundError extends OffshootError {
  constructor(readonly messageId: string) {
    super('message-not-found', `Message "${messageId}" not found`);
  }
}

/** The id is taken by another message of the chat, saved since the caller looked. */
export class MessageExistsError extends OffshootError {
  constructor(readonly messageId: string) {
    super(
      'message-exists',
      `Message "${messageId}" already exists. Messages never change: save it under another id.`,
    );
  }
}

/** The message is one of another chat. */
export class ForeignMessageError extends OffshootError {
  constructor(readonly messageId: string) {
    super('message-of-another-chat', `Message "${messageId}" belongs to a different chat`);
  }
}

/** The chat has no turn of this id. */
export class InvocationNotFoundError extends OffshootError {
  constructor(readonly invocationId: string) {
    super('invocation-not-found', `Invocation ID not found: ${invocationId}`);
  }
}

/** The chat has no branch of this name. */
export class BranchNotFoundError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-not-found', `Branch "${branch}" not found`);
  }
}

/** A branch was to get a name that another has. */
export class BranchExistsError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-exists', `Branch "${branch}" already exists. Choose another name.`);
  }
}

/** The active branch can be neither archived nor deleted. */
export class ActiveBranchError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-active', `Branch "${branch}" is active. Switch to another branch first.`);
  }
}

/** A chat has at least one branch. */
export class LastBranchError extends OffshootError {
  constructor(readonly branch: string) {
    super('branch-last', `Branch "${branch}" is the only one of its chat. Delete the chat instead.`);
  }
}

/** What was to be brought back is not there any more. */
export class TrashEntryNotFoundError extends OffshootError {
  constructor() {
    super('not-in-trash', 'This is not in the trash any more: it was brought back, or removed for good.');
  }
}

/** What was to be brought back does not fit what is there now. */
export class TrashConflictError extends OffshootError {
  constructor(reason: string) {
    super('trash-conflict', `This cannot be brought back: ${reason}.`);
  }
}

/** A file holds what cannot be imported; the message says where. */
export class ImportError extends OffshootError {
  constructor(problem: string, options?: ErrorOptions) {
    super('import-failed', `This cannot be imported: ${problem}. Nothing was changed.`, options);
  }

  /** The first fault, and where it stands. @param root what the path begins with */
  static of(error: ZodError, root: string): ImportError {
    const [issue] = error.issues;
    const steps = issue?.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
    return new ImportError(`${root}${steps?.join('') ?? ''}: ${issue?.message ?? 'it cannot be read'}`, {
      cause: error,
    });
  }
}

/** The chat has no checkpoint of this name. */
export class CheckpointNotFoundError extends OffshootError {
  constructor(readonly checkpoint: string) {
    super('checkpoint-not-found', `Checkpoint "${checkpoint}" not found`);
  }
}

/** A checkpoint was to get a name that another has. */
export class CheckpointExistsError extends OffshootError {
  constructor(readonly checkpoint: string) {
    super('checkpoint-exists', `Checkpoint "${checkpoint}" already exists. Choose another name.`);
  }
}

/** The conversation has no message yet that a checkpoint or a side branch could point to. */
export class EmptyConversationError extends OffshootError {
  constructor(what: 'checkpoint' | 'btw branch') {
    super('conversation-empty', `Cannot create ${what}: no messages in conversation`);
  }
}

/** Another engine moved the branch's head since this one last saw it. Nothing was stored; pending is as before. */
export class HeadConflictError extends OffshootError {
  constructor(
    readonly branch: string,
    readonly expectedHead: string | null,
    readonly actualHead: string | null,
  ) {
    super(
      'head-conflict',
      `Branch "${branch}" has moved on since it was read. Call resolve() to see what came, then save again, ` +
        `or create the engine with onHeadConflict: 'fork' to keep both.`,
    );
  }
}

/** A name or an id that cannot be kept: empty, too long, or with characters no one can see. */
export class InvalidNameError extends OffshootError {
  constructor(what: string, problem: string) {
    super('invalid-name', `This ${what} cannot be used: ${problem}.`);
  }
}

/** The data holds something JSON cannot. `path` leads to the culprit, as in `parts[0].input.when`. */
export class NotStorableError extends OffshootError {
  constructor(
    readonly path: string,
    problem: string,
  ) {
    super('not-storable', `${path} cannot be stored: ${problem}.`);
  }
}

/** A fragment is rendered at once, and a promise says nothing yet. */
export class AsyncFragmentError extends OffshootError {
  constructor() {
    super(
      'async-fragment',
      'A fragment cannot hold a promise. Await it first, or use a function that answers at once.',
    );
  }
}

/** The graph names bytes that the blob store does not have: they were removed from outside. */
export class ArtifactNotFoundError extends OffshootError {
  constructor(readonly artifact: string) {
    super('artifact-not-found', `The bytes of artifact "${artifact}" are missing from the blob store.`);
  }
}

/** Another window writes to this database, or the file is of a newer version. */
export class ReadOnlyError extends OffshootError {
  constructor(reason: string) {
    super('read-only', reason);
  }
}

/** The file holds what this program would never write. */
export class DamagedDataError extends OffshootError {
  constructor(problem: string, options?: ErrorOptions) {
    super('damaged-data', `The conversation database is damaged: ${problem}.`, options);
  }
}

/** An engine or a store was used after it had been closed. */
export class ClosedError extends OffshootError {
  constructor(what: string) {
    super('closed', `This ${what} has been closed. Create a new one.`);
  }
}
