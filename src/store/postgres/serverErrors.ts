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
  HeadConflictError,
  LastBranchError,
  MessageExistsError,
  MessageNotFoundError,
  NotStorableError,
  OffshootError,
  ReadOnlyError,
  TrashConflictError,
  TrashEntryNotFoundError,
} from '../../engine/errors.ts';
import { defineMessage } from '../../engine/messageDescriptor.ts';
import {
  CertificateError,
  ConnectionLostError,
  NoEncryptionError,
  NotAllowedError,
  SignInError,
  StoreBusyError,
  StoreFullError,
} from './storeErrors.ts';

interface ServerError extends Error {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly constraint?: unknown;
}

type Make = (first: string, second: string | null, third: string | null) => OffshootError;

const raised: Readonly<Record<string, Make>> = {
  'chat-not-found': (id) => new ChatNotFoundError(id),
  'chat-exists': (id) => new ChatExistsError(id),
  'message-not-found': (id) => new MessageNotFoundError(id),
  'message-exists': (id) => new MessageExistsError(id),
  'answer-running': (id) => new AnswerRunningError(id),
  'answer-not-found': (id) => new AnswerNotFoundError(id),
  'answer-cancelled': (id) => new AnswerCancelledError(id),
  'answer-taken': (id) => new AnswerTakenError(id),
  'branch-not-found': (name) => new BranchNotFoundError(name),
  'branch-exists': (name) => new BranchExistsError(name),
  'branch-active': (name) => new ActiveBranchError(name),
  'branch-last': (name) => new LastBranchError(name),
  'checkpoint-not-found': (name) => new CheckpointNotFoundError(name),
  'checkpoint-exists': (name) => new CheckpointExistsError(name),
  'head-conflict': (branch, expected, actual) => new HeadConflictError(branch, expected, actual),
  'not-in-trash': () => new TrashEntryNotFoundError(),
  'trash-conflict': (why) =>
    new TrashConflictError(
      why === 'ids'
        ? defineMessage('the chat has other messages of the same ids by now')
        : defineMessage('the chat it belongs to is in the trash, too. Bring that back first'),
    ),
  'chat-shared-to-read': () =>
    new NotAllowedError(
      defineMessage('This chat is shared for reading only. Ask its owner to share it for writing.'),
    ),
  'not-the-owner': () => new NotAllowedError(defineMessage('Only the owner of a chat can share it.')),
  'not-this-user': (wanted, actual) =>
    new NotAllowedError(
      defineMessage(
        'You are signed in to the shared store as {0} and cannot act as {1}.',
        actual ?? '',
        wanted,
      ),
    ),
};

/** Error classes and server codes which mean that the connection is or could not be established. */
const lostCodes = new Set([
  ...[
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'ENOENT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ],
  ...['57P01', '57P02', '57P03', '08000', '08003', '08006', '08001', '08004', '53300', 'ECONNABORTED'],
]);

/** Node's codes for certificate errors. */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether the connection is lost, so that the result is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof ConnectionLostError) return true;
  const { code } = asServerError(error);
  if (typeof code === 'string') return lostCodes.has(code);
  return (
    error instanceof Error &&
    /connection (?:terminated|ended|timeout)|timeout exceeded when trying to connect|not queryable|closed the connection|Client was closed/i.test(
      error.message,
    )
  );
}

/** Whether a retry may succeed: a concurrent transaction interfered. */
export function isSerializationFailure(error: unknown): boolean {
  const { code } = asServerError(error);
  return code === '40001' || code === '40P01';
}

/** Whether the write of this id was done before. */
export function isRepeated(error: unknown): boolean {
  return violates(error, 'changes_by_request');
}

export function isMessageTaken(error: unknown): boolean {
  return violates(error, 'messages_by_id');
}

/** The index of a partition has a number appended to its name. */
function violates(error: unknown, index: string): boolean {
  const { code, constraint } = asServerError(error);
  return code === '23505' && typeof constraint === 'string' && constraint.replace(/_\d+$/u, '') === index;
}

/** An error that it does not know is returned unchanged. */
export function translated(error: unknown): unknown {
  if (error instanceof OffshootError) return error;
  if (isConnectionLost(error)) return new ConnectionLostError({ cause: error });
  if (isSerializationFailure(error)) return new StoreBusyError({ cause: error });
  const { code, message, detail } = asServerError(error);
  if (message === 'The server does not support SSL connections') {
    return new NoEncryptionError({ cause: error });
  }
  if (typeof code === 'string' && certificateCodes.has(code)) {
    // The rest of the message is for developers who start Node themselves.
    const reason = /^[^;]*/.exec(message)?.[0].replace(/[\s:.]+$/, '') ?? code;
    return new CertificateError(reason, { cause: error });
  }
  switch (code) {
    case 'OF001':
      return raisedError(message, detail) ?? error;
    case '25006':
      return new ReadOnlyError(
        defineMessage('This PostgreSQL server only serves reads: it is a replica, or it was made read-only.'),
      );
    case '53100':
      return new StoreFullError({ cause: error });
    case '42501':
      return new NotAllowedError(
        defineMessage(
          'Your role has no access to the shared store. Ask its administrator to add it to "{0}".',
          'offshoot_member',
        ),
        { cause: error },
      );
    case '28P01':
    case '28000':
    case '3D000':
      return new SignInError(message, { cause: error });
    case '22P05':
    case '22021':
      return new NotStorableError('a title, a name or a key', 'it holds a NUL character');
    default:
      return error;
  }
}

function raisedError(code: string, detail: unknown): OffshootError | undefined {
  const args: unknown = typeof detail === 'string' ? JSON.parse(detail) : [];
  const [first, second, third] = (Array.isArray(args) ? args : []).map((each) =>
    typeof each === 'string' ? each : null,
  );
  return raised[code]?.(first ?? '', second ?? null, third ?? null);
}

function asServerError(error: unknown): ServerError {
  return error instanceof Error ? error : new Error(String(error));
}
