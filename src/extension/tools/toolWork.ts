// The start of the extension does not wait for this code.
export { remember } from '../../agent/memory/remember.ts';
export { readSkill } from '../../agent/skills/readSkill.ts';
export { readCommand, runCommand } from '../../agent/tools/commands/carryOut.ts';
export { replaceEach } from '../../agent/tools/workspace/replaceOnce.ts';
export { ripgrepSearch } from '../../agent/tools/workspace/ripgrep.ts';
export { walkedSearch } from '../../agent/tools/workspace/walkedSearch.ts';
export { hostRequest } from '../../agent/tools/web/webLeave.ts';
export { fetchPage } from '../../agent/tools/web/fetchPage.ts';
export { visibleHits } from '../../mcp/reading/searchConversations.ts';
export { ForeignCalls } from './foreignCalls.ts';
export { EditorTerminals } from './commandTerminals.ts';
export { foundFiles } from '../files/folderSearch.ts';
export { filesToSearch } from '../files/filesToSearch.ts';
export { editorTexts, searchEncodings } from '../files/editorEncodings.ts';
export { openTexts } from '../files/openTexts.ts';
