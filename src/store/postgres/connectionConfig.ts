import type { ConnectionOptions } from './connectionOptions.ts';
import type pg from 'pg';
import type { ClientConfig } from 'pg';
import { ConnectionStringError, PlainConnectionError, ClientMissingError } from './storeErrors.ts';

/**
 * The configuration of the client. TLS is on, and the certificate is checked, unless the server is on this machine.
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

interface Address {
  readonly host: string;
  readonly port: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** `sslmode`, as libpq calls it. */
  readonly mode: string | undefined;
}

function read(connectionString: string): Address {
  // Errors never repeat the address, which may contain a password.
  const url = URL.canParse(connectionString) ? new URL(connectionString) : undefined;
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) throw new ConnectionStringError();
  try {
    const given = (text: string): string | undefined => (text === '' ? undefined : decodeURIComponent(text));
    const { searchParams } = url;
    return {
      host: searchParams.get('host') ?? given(url.hostname)?.replace(/^\[|\]$/g, '') ?? 'localhost',
      port: searchParams.get('port') ?? given(url.port),
      user: given(url.username) ?? searchParams.get('user') ?? undefined,
      password: given(url.password),
      database: given(url.pathname.slice(1)),
      mode: searchParams.get('sslmode') ?? undefined,
    };
  } catch {
    throw new ConnectionStringError();
  }
}

/** A Unix socket, or an address that never leaves this machine. */
export function isOnThisMachine(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '');
  return bare.startsWith('/') || bare === 'localhost' || bare === '::1' || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

type PgModule = Pick<typeof pg, 'Client' | 'Pool'>;

let loaded: Promise<PgModule> | undefined;

/** Loaded when a store is first opened. @throws ClientMissingError */
export function loadClient(): Promise<PgModule> {
  loaded ??= import('pg').then(
    (module) => module.default,
    (cause: unknown) => {
      loaded = undefined;
      throw new ClientMissingError({ cause });
    },
  );
  return loaded;
}
