/** The location of the server, and how to connect to it. */
export interface ConnectionOptions {
  /** As in `postgres://role@host/database`. A password in it is used; {@link password} is better. */
  readonly connectionString: string;
  /** The password or token of the role, or a function that returns it for each connection. */
  readonly password?: string | (() => string | Promise<string>);
  /** The certificate, as PEM, of a private authority that signed the server's. */
  readonly ca?: string;
  /** Allows a connection without TLS to another machine; default no. */
  readonly allowPlainConnection?: boolean;
  /** The name of this connection in the server's list of connections. */
  readonly applicationName?: string;
}

/** The state of the connection to the server. */
export type ConnectionState =
  /** No call has needed it yet. */
  | { readonly kind: 'unopened' }
  | { readonly kind: 'connected' }
  /** The server does not answer. It is retried automatically, next at this time (milliseconds since 1970). */
  | { readonly kind: 'lost'; readonly since: number; readonly nextTryAt: number; readonly error: unknown }
  | { readonly kind: 'closed' };

/** The server's information about itself and the role. */
export interface Hello {
  /** The version of the tables. */
  readonly version: number;
  /** The role that the server authenticated. */
  readonly user: string;
  /** It may act for the users it names. */
  readonly isService: boolean;
  readonly isReadOnly: boolean;
}

/** The position of a store's user. */
export interface Place {
  readonly chatId: string;
  readonly branch: string | undefined;
}
