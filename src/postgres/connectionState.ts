/** How the store stands to its server. */
export type ConnectionState =
  /** No call has needed it yet. */
  | { readonly kind: 'unopened' }
  | { readonly kind: 'connected' }
  /** It does not answer. It is tried again by itself, next at this time (milliseconds since 1970). */
  | { readonly kind: 'lost'; readonly since: number; readonly nextTryAt: number; readonly error: unknown }
  | { readonly kind: 'closed' };

/** What the server says of itself and of the role. */
export interface Hello {
  /** Of the tables. */
  readonly version: number;
  /** The role: whom the server takes this program for. */
  readonly user: string;
  /** It may act for the users it names. */
  readonly isService: boolean;
  readonly isReadOnly: boolean;
}
