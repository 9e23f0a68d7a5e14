/**
 * One end of a connection between two processes: whole messages of bytes, in order. An end that sends too much at
 * once, or does not read what it is sent, is disconnected.
 */
export interface Link {
  /** The maximum size of the next messages, in bytes. Before authentication it can be small. */
  limit: number;
  send(message: Uint8Array): void;
  /** Delivers no more messages until `resume`; some that have already arrived may still be delivered. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** The events of a link. */
export interface LinkEvents {
  onMessage(message: Uint8Array): void;
  /** Called once, when either end closes it. */
  onClose(): void;
}

/** An address where other processes of the same user can connect. */
export interface Listener {
  readonly address: string;
  /** Accepts no more connections; existing ones stay. */
  close(): Promise<void>;
}

/** Connects processes of this machine. */
export interface Channels {
  /**
   * Opens an unguessable address.
   * @param folder its location, on systems where addresses are files and this path is short enough
   * @param onLink receives each connection as it is made
   */
  listen(folder: string, onLink: (link: Link) => LinkEvents): Promise<Listener>;
  /** @returns undefined when nobody listens there */
  connect(address: string, onLink: (link: Link) => LinkEvents): Promise<Link | undefined>;
  /** Removes an address that a killed process left behind. */
  discard(address: string): Promise<void>;
}
