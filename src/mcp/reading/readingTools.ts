import { compareBranches } from './compareBranches.ts';
import { explainLine } from './explainLine.ts';
import { listBranches } from './listBranches.ts';
import { listCheckpoints } from './listCheckpoints.ts';
import { readPath } from './readPath.ts';
import type { ReadingTool } from './readingTool.ts';
import { searchConversations } from './searchConversations.ts';

/** The reading tools: for the MCP server, and as language-model tools of VS Code. */
export const readingTools: readonly ReadingTool[] = [
  searchConversations,
  listBranches,
  readPath,
  listCheckpoints,
  compareBranches,
  explainLine,
];
