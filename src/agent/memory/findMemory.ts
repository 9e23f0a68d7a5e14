import type { JsonValue } from '../../engine/json.ts';
import type { FileTexts } from '../../host/fileTexts.ts';
import type { PromptProblem } from '../prompts/promptText.ts';
import { branchFacts } from './branchFacts.ts';
import { readMemoryFile, type MemoryPlace } from './memoryPlace.ts';

/** The facts of one file, or of a branch. */
export interface FoundFacts {
  readonly scope: MemoryPlace['scope'] | 'branch';
  /** As the user names the file; undefined: a branch. */
  readonly shown: string | undefined;
  readonly uri: string | undefined;
  /** The oldest first. */
  readonly facts: readonly string[];
  /** Why none of the file are used. */
  readonly problem: PromptProblem | undefined;
}

/** What is remembered at the head of a branch: the nearest first. */
export async function findMemory(
  places: readonly MemoryPlace[],
  texts: FileTexts,
  onBranch: JsonValue | undefined,
): Promise<readonly FoundFacts[]> {
  const ofBranch = branchFacts(onBranch);
  const found: FoundFacts[] =
    ofBranch.length === 0
      ? []
      : [{ scope: 'branch', shown: undefined, uri: undefined, facts: ofBranch, problem: undefined }];
  for (const place of places) {
    const { scope, shown, uri } = place;
    const read = await readMemoryFile(place, texts);
    if (read && (read.facts.length > 0 || read.problem)) found.push({ scope, shown, uri, ...read });
  }
  return found;
}
