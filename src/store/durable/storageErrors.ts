import { OffshootError, ReadOnlyError } from '../../engine/errors.ts';
import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';
import { FileKindError, type FileKind } from '../../host/files.ts';

/** A change could not be written. It did not happen: saved data is unchanged. */
export class StorageWriteError extends OffshootError {
  constructor(folder: string, cause: unknown) {
    super(isFull(cause) ? 'storage-full' : 'storage-write-failed', whyNothingWasSaved(folder, cause), {
      cause,
    });
  }
}

/** This program has no place to store anything, as a browser may refuse storage to a site. */
export class StorageUnavailableError extends OffshootError {
  constructor(cause: unknown) {
    super(
      'storage-unavailable',
      defineMessage(
        'Conversations can’t be kept here: {0}. Allow this site to store data in the browser’s settings, also as part of another site, and try again.',
        reasonOf(cause),
      ),
      { cause },
    );
  }
}

/** Something else stands where a file or a folder of the conversations belongs. Nothing was opened or changed. */
export class UnusablePathError extends OffshootError {
  readonly path: string;

  constructor(cause: FileKindError) {
    super('not-a-file', whatToDo(cause), { cause });
    this.path = cause.path;
  }
}

function whatToDo({ path, kind, expected }: FileKindError): MessageDescriptor {
  switch (kind) {
    case 'dangling link':
      return defineMessage(
        '{0} is a link to something that is missing. Make that available again, or remove the link, and try again.',
        path,
      );
    case 'link':
      return defineMessage(
        '{0} is a link, and nothing is written through it. Put the file itself there, and try again.',
        path,
      );
    default:
      return expected === 'file'
        ? defineMessage(
            '{0} is {1}, not a file, and was left as it is. Move it away, or choose another place, and try again.',
            path,
            kindTexts[kind],
          )
        : defineMessage(
            '{0} is {1}, not a folder, and was left as it is. Move it away, or choose another place, and try again.',
            path,
            kindTexts[kind],
          );
  }
}

const kindTexts: Readonly<Record<Exclude<FileKind, 'link' | 'dangling link'>, MessageDescriptor>> = {
  file: defineMessage('a file'),
  folder: defineMessage('a folder'),
  pipe: defineMessage('a pipe'),
  socket: defineMessage('a socket'),
  device: defineMessage('a device'),
};

/** An error of the files, as it is shown to users. */
export function asStorageError(error: unknown): unknown {
  return error instanceof FileKindError ? new UnusablePathError(error) : error;
}

/** The journal could not be merged into the database file. Nothing is lost, and it is tried again later. */
export class CompactionError extends OffshootError {
  constructor(folder: string, cause: unknown) {
    super(
      'compaction-failed',
      defineMessage(
        'The database in {0} could not be rewritten: {1}. Everything saved is safe in its journals; it is tried again after further saves.',
        folder,
        reasonOf(cause),
      ),
      { cause },
    );
  }
}

/** Other users of this machine may read files with conversations, and that could not be changed. */
export class NotPrivateError extends OffshootError {
  constructor(folder: string, cause: unknown) {
    super(
      'not-private',
      defineMessage(
        'Files in {0} could not be made private: {1}. Check who owns them.',
        folder,
        reasonOf(cause),
      ),
      { cause },
    );
  }
}

/** Another process is the writer, and this one must send it requests. */
export class OtherWriterError extends ReadOnlyError {}

/** This process was suspended for so long that another one has taken over. */
export class NotTheWriterError extends OffshootError {
  constructor() {
    super(
      'not-the-writer',
      defineMessage('Another window has taken over these conversations. Try again from there.'),
    );
  }
}

/** Whether nothing was done because another process is the writer. */
export function isNotTheWriter(error: unknown): boolean {
  return error instanceof NotTheWriterError || error instanceof OtherWriterError;
}

/**
 * The files were removed while in use, and could not be written again yet. Memory still holds the conversations,
 * including the changes that this error answers.
 */
export class StorageClearedError extends OffshootError {
  /** @param folder undefined in a browser, whose user sees no folder */
  constructor(folder: string | undefined, reason: string) {
    super(
      'storage-cleared',
      folder === undefined
        ? defineMessage(
            'The stored conversations were removed, and could not be written again: {0}. This window still has them: export them before you close it.',
            reason,
          )
        : defineMessage(
            'The conversations in {0} were removed, and could not be written again: {1}. They are still in memory: put the folder back and try again, or export them before you close this program.',
            folder,
            reason,
          ),
    );
  }
}

/**
 * Damage found when a database was opened, and where the damaged files were put. Nothing was overwritten. Or: journals
 * of another database were found next to it, and set aside unread. Or: all files were removed while open, and have been
 * written again.
 */
export interface RecoveryReport {
  /** What is in use now: all readable data, the backup, a new database, or the database without foreign journals. */
  readonly outcome: 'journal-cut' | 'backup-used' | 'new-database' | 'foreign-journal' | 'written-anew';
  /** The files set aside; empty when the folder cannot be written to and they stayed in place. */
  readonly keptAside: readonly string[];
}

/** Whether conversations can be changed, and if not, why. */
export type StorageAccess =
  | { readonly kind: 'writer' }
  /** Another window writes on behalf of this one; this one takes over when the other is gone. */
  | { readonly kind: 'through-writer' }
  /** Another window is the writer and cannot be reached; this one takes over when it is gone. */
  | { readonly kind: 'other-writer' }
  /** A newer version of the program wrote the files. */
  | { readonly kind: 'newer-version' }
  /** The folder cannot be written to; this is retried continuously. */
  | { readonly kind: 'not-writable'; readonly reason: string };

export type OwnAccess = Exclude<StorageAccess, { kind: 'through-writer' }>;

export function readOnlyError(folder: string, access: Exclude<OwnAccess, { kind: 'writer' }>): ReadOnlyError {
  switch (access.kind) {
    case 'other-writer':
      return new OtherWriterError(
        defineMessage(
          'Another window is writing to these conversations and can’t be reached. Close it, or update Offshoot in it. This window then takes over within seconds.',
        ),
      );
    case 'newer-version':
      return new ReadOnlyError(
        defineMessage(
          'The conversations in {0} were written by a newer version of Offshoot. Update Offshoot to change them.',
          folder,
        ),
      );
    case 'not-writable':
      return new ReadOnlyError(
        defineMessage(
          'The conversations in {0} can only be read: {1}. Make the folder writable to change them.',
          folder,
          access.reason,
        ),
      );
  }
}

export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function whyNothingWasSaved(folder: string, cause: unknown): MessageDescriptor {
  if (isFull(cause, quotaCodes)) {
    return defineMessage(
      'The room for stored data is used up: nothing could be saved. Free space on the disk and try again.',
    );
  }
  return isFull(cause)
    ? defineMessage('The disk is full: nothing could be saved in {0}. Free some space and try again.', folder)
    : defineMessage(
        'Nothing could be saved in {0}: {1}. Check that the folder can be written to and try again.',
        folder,
        reasonOf(cause),
      );
}

/** No room on disk, over a quota, or over the maximum size of a file. */
export function isFull(cause: unknown, codes: readonly unknown[] = fullCodes): boolean {
  return cause instanceof Error && 'code' in cause && codes.includes(cause.code);
}

const quotaCodes = ['EDQUOT'];
const fullCodes = ['ENOSPC', 'EFBIG', ...quotaCodes];
