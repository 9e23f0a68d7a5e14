import { OffshootError } from '../../engine/errors.ts';
import { defineMessage, type MessageDescriptor } from '../../engine/messageDescriptor.ts';

/** The server does not answer. Data already read stays; no write is pending. */
export class ConnectionLostError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'connection-lost',
      defineMessage(
        'The shared store can’t be reached. Nothing is saved until it reconnects, which happens automatically. Then try again.',
      ),
      options,
    );
  }
}

/** The user may not do this. */
export class NotAllowedError extends OffshootError {
  constructor(reason: MessageDescriptor, options?: ErrorOptions) {
    super('not-allowed', reason, options);
  }
}

/** The role, its password or the database does not match the server's. */
export class SignInError extends OffshootError {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      'sign-in-failed',
      defineMessage(
        'The shared store refused to sign you in: {0}. Check the address, the role and the password.',
        reason,
      ),
      options,
    );
  }
}

/** Too many concurrent changes conflicted. Nothing was saved. */
export class StoreBusyError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'store-busy',
      defineMessage(
        'Others changed the same at the same time, again and again. Nothing was saved. Try again.',
      ),
      options,
    );
  }
}

/** The server has no room left. Nothing was saved. */
export class StoreFullError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'storage-full',
      defineMessage(
        'Nothing was saved: the disk of the PostgreSQL server is full. Ask its administrator to make room; what was saved before is as it was.',
      ),
      options,
    );
  }
}

/** A file or an artifact exceeds the size limit of a shared store. Nothing was saved. */
export class BlobTooLargeError extends OffshootError {
  /** @param size and limit in bytes */
  constructor(size: number, limit: number) {
    super(
      'blob-too-large',
      defineMessage(
        'Nothing was saved: a file of {0} MB is larger than this shared store keeps ({1} MB). Leave it out.',
        Math.ceil(size / 1024 ** 2),
        Math.floor(limit / 1024 ** 2),
      ),
    );
  }
}

/** The database has no tables of this program, or those of an older version, and this role may not make them. */
export class NotSetUpError extends OffshootError {
  constructor(found: number, needed: number, options?: ErrorOptions) {
    super(
      'store-not-set-up',
      found === 0
        ? defineMessage(
            'This database isn’t set up as a shared store yet. Connect once with the role that owns it, which makes the tables.',
          )
        : defineMessage(
            'This shared store is of an older version ({0} < {1}). Connect once with the role that owns it to update it.',
            found,
            needed,
          ),
      options,
    );
  }
}

/** Sent data could be read and changed in transit. */
export class PlainConnectionError extends OffshootError {
  constructor(host: string) {
    super(
      'plain-connection',
      defineMessage(
        'The connection to {0} would not be encrypted. Take "sslmode=disable" out of the address, or allow plain connections.',
        host,
      ),
    );
  }
}

/** Nothing was sent to the server: its certificate is not trusted. */
export class CertificateError extends OffshootError {
  constructor(reason: string, options?: ErrorOptions) {
    super(
      'certificate-not-trusted',
      defineMessage(
        'The server’s certificate isn’t trusted: {0}. Set the certificate of its authority, or connect by the name that the certificate is for.',
        reason,
      ),
      options,
    );
  }
}

/** Nothing was sent to the server: it does not support encrypted connections. */
export class NoEncryptionError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'no-encryption',
      defineMessage('The server doesn’t encrypt connections. Ask its administrator to turn on "{0}".', 'ssl'),
      options,
    );
  }
}

/** The address is not a valid PostgreSQL address. */
export class ConnectionStringError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'connection-string',
      defineMessage(
        'This is no address of a PostgreSQL database. It looks like postgres://role@host/database.',
      ),
      options,
    );
  }
}

/** The package `pg` is not installed. */
export class ClientMissingError extends OffshootError {
  constructor(options?: ErrorOptions) {
    super(
      'client-missing',
      defineMessage('The package "pg" is needed to reach a PostgreSQL server. Install it: npm install pg'),
      options,
    );
  }
}
