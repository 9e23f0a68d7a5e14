/** The owner that something must have. */
export interface OwnedBy {
  /** Only if it belongs to this user. */
  readonly userId?: string;
}
