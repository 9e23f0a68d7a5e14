// Code that is loaded on first use, in one file, so that it does not slow down the start of the extension.
export { GitHistory } from './gitHistory.ts';
export { NodeBranchFiles } from './branchFiles/nodeBranchFiles.ts';
export { NodeCloudAccounts } from './nodeCloudAccounts.ts';
export { NodeForeignFiles } from './nodeForeignFiles.ts';
export { NodeGuardedFiles, onThisMachine } from './nodeGuardedFiles.ts';
export { NodePrograms } from './nodePrograms.ts';
export { NodeSandbox } from './walls/nodeSandbox.ts';
export { nodeRepositoryFacts } from './nodeRepositoryFacts.ts';
export { NodeWebReader } from './nodeWebReader.ts';
export { NodeWorkspaceFiles } from './nodeWorkspaceFiles.ts';
export { fetchWithoutTimeout } from './fetchWithoutTimeout.ts';
export { PathGuard } from './pathGuard.ts';
export { WorkspaceSnapshots } from './workspaceSnapshots.ts';
export { VirtualGuardedFiles } from '../virtual/virtualGuardedFiles.ts';
export { VirtualWorkspaceFiles } from '../virtual/virtualWorkspaceFiles.ts';
export { WriteJournal } from '../writeJournal.ts';
