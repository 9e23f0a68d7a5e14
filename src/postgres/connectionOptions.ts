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
