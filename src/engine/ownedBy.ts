/** Whose something has to be. */
export interface OwnedBy {
  /** Only when it belongs to this user. */
  readonly userId?: string;
}
