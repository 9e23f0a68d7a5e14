/**
 * One end of a connection between two processes: whole messages of bytes, in order. Whoever sends more at once than it
 * may, or takes nothing of what it is sent, is cut off.
 */
export interface Link {
  /** How long the next messages may be, in bytes. Whoever says nothing of itself yet need not be given much room. */
  limit: number;
  send(message: Uint8Array): void;
  /** Takes no more messages until `resume`; some that have arrived already may still come. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** What happens on a link. */
export interface LinkEvents {
  onMessage(message: Uint8Array): void;
  /** Once, whoever closed it. */
  onClose(): void;
}

/** Where other processes of the same user can connect. */
export interface Listener {
  readonly address: string;
  /** Takes no more connections; those there are stay. */
  close(): Promise<void>;
}

/** Connects processes of this machine. */
export interface Channels {
  /**
   * Opens an address that nobody guesses.
   * @param folder where it lies, on systems where addresses are files and this one is short enough for one
   * @param onLink takes a connection, in the moment it is made
   */
  listen(folder: string, onLink: (link: Link) => LinkEvents): Promise<Listener>;
  /** @returns undefined when nobody listens there */
  connect(address: string, onLink: (link: Link) => LinkEvents): Promise<Link | undefined>;
  /** Removes an address that a process left behind when it was killed. */
  discard(address: string): Promise<void>;
}
