// What tools do once they are called, in one file: nobody waits for it when the extension starts.
export { readCommand, runCommand } from '../../agent/tools/commands/carryOut.ts';
export { replaceEach } from '../../agent/tools/files/replaceEach.ts';
export { ripgrepSearch } from '../../agent/tools/files/ripgrep.ts';
export { walkedSearch } from '../../agent/tools/files/walkedSearch.ts';
export { fetchPage } from '../../agent/tools/web/fetchPage.ts';
export { EditorTerminals } from '../terminals/commandTerminals.ts';
export { foundFiles } from '../workspaceFiles/folderSearch.ts';
export { filesToSearch } from '../workspaceFiles/filesToSearch.ts';
