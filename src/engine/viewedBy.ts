/** The user as whom a chat is read or changed. Each user has their own active branch, drafts and undo steps. */
export interface ViewedBy {
  /** Default: the chat's owner. */
  readonly userId?: string | undefined;
}
