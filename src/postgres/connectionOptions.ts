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
