/** As whose something of a chat is read or done. Each user has an active branch, drafts and steps to undo of their own. */
export interface ViewedBy {
  /** Default: the chat's owner. */
  readonly userId?: string | undefined;
}
