import type { ContextStore } from './store.ts';
import type { Trash } from './trash.ts';

/** Every store method that changes no conversation. A new method of the store must be added here explicitly. */
type ReadingMember =
  | 'isReadOnly'
  | 'isWriter'
  | 'onDidChange'
  | 'onWillClose'
  | 'createInMemory'
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
  | 'getAnswer'
  | 'listAnswers'
  | 'getSharedState'
  | 'getSharedArtifacts'
  | 'listFileChanges'
  | 'blobs';

/** All reading methods. Bytes can be put into its blobs: they belong to no conversation until a message names them. */
export interface ReadonlyStore extends Pick<ContextStore, ReadingMember> {
  readonly trash: Pick<Trash, 'list'>;
}
