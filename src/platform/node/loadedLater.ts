// What is loaded when it is first needed, in one file: nobody waits for it when the extension starts.
export { NodeForeignFiles } from './nodeForeignFiles.ts';
export { NodeGuardedFiles, onThisMachine } from './nodeGuardedFiles.ts';
export { NodePrograms } from './nodePrograms.ts';
export { NodeWebReader } from './nodeWebReader.ts';
export { NodeWorkspaceFiles } from './nodeWorkspaceFiles.ts';
export { patientFetch } from './patientFetch.ts';
export { PathGuard } from './pathGuard.ts';
export { WorkspaceMoments } from './workspaceMoments.ts';
export { VirtualGuardedFiles } from '../virtual/virtualGuardedFiles.ts';
export { VirtualWorkspaceFiles } from '../virtual/virtualWorkspaceFiles.ts';
