/** A server that takes a key. */
export interface KeyServer {
  /** The source of its models. */
  readonly id: string;
  readonly label: string;
  /**
   * The origin its key is kept under; undefined while no address is set.
   * @throws ModelError if the address is none
   */
  readonly origin: () => string | undefined;
  /** Where a user gets a key. */
  readonly keyPage?: string;
  /** A cheap request with this key. @throws ModelError `unauthorized` when it is refused */
  readonly check: (key: string) => Promise<void>;
}
