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
