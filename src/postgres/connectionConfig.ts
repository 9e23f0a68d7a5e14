import { isIP } from 'node:net';
import type { ClientConfig } from 'pg';
import { parse } from 'pg-connection-string';
import { ConnectionStringError, PlainConnectionError } from './storeErrors.ts';

/** Where the server is, and how it is reached. */
export interface ConnectionOptions {
  /** As in `postgres://role@host/database`. A password in it is used; better is {@link password}. */
  readonly connectionString: string;
  /** The password or token of the role, or what gives it each time a connection is made. */
  readonly password?: string | (() => string | Promise<string>);
  /** A certificate of an authority of your own that signed the server's, as PEM. */
  readonly ca?: string;
  /** Allows a connection without TLS to another machine; default no. */
  readonly allowPlainConnection?: boolean;
  /** What the server's own list of connections calls this one. */
  readonly applicationName?: string;
}

/**
 * What the client is given. TLS is on, and the certificate is checked, unless the server is on this machine.
 * @throws ConnectionStringError, PlainConnectionError
 */
export function connectionConfig(options: ConnectionOptions): ClientConfig {
  const { host, port, user, password, database, mode } = read(options.connectionString);
  const isLocal = isOnThisMachine(host);
  const isPlain = mode === 'disable' || (isLocal && mode === undefined && options.ca === undefined);
  if (isPlain && !isLocal && options.allowPlainConnection !== true) throw new PlainConnectionError(host);
  const secret = options.password ?? password;
  return {
    host,
    ...(port ? { port: Number(port) } : {}),
    ...(user ? { user } : {}),
    ...(secret === undefined ? {} : { password: secret }),
    ...(database ? { database } : {}),
    application_name: options.applicationName ?? 'offshoot',
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    connectionTimeoutMillis: 10_000,
    ssl: isPlain
      ? false
      : { rejectUnauthorized: true, ...(options.ca === undefined ? {} : { ca: options.ca }) },
  };
}

function read(connectionString: string) {
  try {
    if (!/^(?:postgres(?:ql)?:\/\/|socket:)/.test(connectionString)) throw new ConnectionStringError();
    const withoutMode = connectionString.replace(/([?&])sslmode=[^&]*&?/, '$1').replace(/[?&]$/, '');
    const mode = /[?&]sslmode=([^&]*)/.exec(connectionString)?.[1];
    const { host, port, user, password, database } = parse(withoutMode);
    return { host: host ?? 'localhost', port, user, password, database, mode };
  } catch (cause) {
    // The cause would repeat the address, which may hold a password.
    if (cause instanceof ConnectionStringError) throw cause;
    throw new ConnectionStringError();
  }
}

/** A Unix socket, or an address that never leaves this machine. */
export function isOnThisMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return (
    bare.startsWith('/') ||
    bare === 'localhost' ||
    bare === '::1' ||
    (isIP(bare) === 4 && bare.startsWith('127.'))
  );
}
