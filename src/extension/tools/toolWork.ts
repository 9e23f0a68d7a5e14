// The code of tools that are called, in one file: the start of the extension does not wait for it.
export { readCommand, runCommand } from '../../agent/tools/commands/carryOut.ts';
export { replaceEach } from '../../agent/tools/files/replaceOnce.ts';
export { ripgrepSearch } from '../../agent/tools/files/ripgrep.ts';
export { walkedSearch } from '../../agent/tools/files/walkedSearch.ts';
export { fetchPage } from '../../agent/tools/web/fetchPage.ts';
export { EditorTerminals } from '../terminals/commandTerminals.ts';
export { foundFiles } from '../workspaceFiles/folderSearch.ts';
export { filesToSearch } from '../workspaceFiles/filesToSearch.ts';
