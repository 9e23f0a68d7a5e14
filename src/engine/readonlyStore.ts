import type { ContextStore } from './store.ts';
import type { Trash } from './trash.ts';

/** Every method of a store that changes no conversation. A new method of the store is none of them until it stands here. */
type ReadingMember =
  | 'isReadOnly'
  | 'isWriter'
  | 'onDidChange'
  | 'getChat'
  | 'listChats'
  | 'getMessage'
  | 'getParentIds'
  | 'isMessageElsewhere'
  | 'getPath'
  | 'getPathAfter'
  | 'getChildren'
  | 'getSiblings'
  | 'findInvocation'
  | 'listBranches'
  | 'getBranch'
  | 'getActiveBranch'
  | 'getCheckpoint'
  | 'listCheckpoints'
  | 'storageReport'
  | 'exportChat'
  | 'getGraph'
  | 'getSkeleton'
  | 'findCommonAncestor'
  | 'searchMessages'
  | 'searchAllMessages'
  | 'findBranchWith'
  | 'findBranchUsedWith'
  | 'listEvents'
  | 'listDrafts'
  | 'getSharedState'
  | 'getSharedArtifacts'
  | 'listFileChanges'
  | 'blobs';

/**
 * A store as those see it that only show conversations: what it says, and none of what changes it. Bytes can be put into
 * its blobs, since they belong to no conversation until a message names them.
 */
export interface ReadonlyStore extends Pick<ContextStore, ReadingMember> {
  /** What was deleted. */
  readonly trash: Pick<Trash, 'list'>;
}
