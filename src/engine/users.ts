/** The user as whom a chat is read or changed. Each user has their own active branch, drafts and undo steps. */
export interface ViewedBy {
  /** Default: the chat's owner. */
  readonly userId?: string | undefined;
}

/** The owner that something must have. */
export interface OwnedBy {
  /** Only if it belongs to this user. */
  readonly userId?: string;
}

/** The owner of local conversations; the engine requires a user id. */
export const LOCAL_USER = 'local';
