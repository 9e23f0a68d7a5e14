import { minimatch } from 'minimatch';
import type { AppliedInstructions } from '../../src/agent/instructions/instructionsFile.ts';
import {
  findInstructions,
  type ProjectInstructions,
} from '../../src/agent/instructions/projectInstructions.ts';
import {
  applyingInstructions,
  type AskedAbout,
  type MatchesPattern,
} from '../../src/agent/instructions/questionInstructions.ts';
import { instructionsReader, patternBelow } from '../../src/agent/instructions/readApplyTo.ts';
import type { GuardedFiles } from '../../src/host/guardedFiles.ts';
import { unicodeTexts } from '../fixtures/savedTexts.ts';

/** What VS Code does in the extension host: the tests there have its own globs. */
export const matches: MatchesPattern = (pattern, { path }) =>
  minimatch(path, patternBelow(pattern), { dot: true });

/** @param own the user's own folder */
export function project(files: GuardedFiles, own?: GuardedFiles): Promise<ProjectInstructions> {
  return findInstructions(files, instructionsReader, unicodeTexts, own);
}

/** Those that are included with a question about these. */
export async function applying(
  files: GuardedFiles,
  about: Partial<AskedAbout>,
): Promise<AppliedInstructions[]> {
  const options = { files, project: await project(files), matches, texts: unicodeTexts };
  return applyingInstructions(options, { path: [], attached: [], active: undefined, ...about });
}

/** Those of a workspace, in the system prompt or with a question while the user is at a file. */
export async function instructionNames(files: GuardedFiles, active?: string): Promise<string[]> {
  const { always } = await project(files);
  return [...always, ...(await applying(files, { active }))].map(({ shown }) => shown);
}
