import type { BranchData, CheckpointData } from '../../engine/graph.ts';
import type { ChatOutline } from '../branches/outline.ts';
import type { BranchTitles } from '../branches/branchTitles.ts';

/** What of a chat has all the words that are looked for. */
export interface FilteredChat {
  /** The ids of the branches and checkpoints that are shown: those found, and the way to them. */
  readonly shown: ReadonlySet<string>;
  /** How many were found, the chat itself included. */
  readonly found: number;
}

/** How many branches are looked at before others get their turn. */
const BATCH = 500;

/** The words of what somebody typed, as they are compared. */
export function filterTerms(text: string): string[] {
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Which branches and checkpoints are shown, beside the words that they have. */
export interface Wanted {
  branch(branch: BranchData): boolean | Promise<boolean>;
  checkpoint(checkpoint: CheckpointData): boolean;
}

/**
 * Finds the words in the names and titles of a chat, its branches and its checkpoints; undefined: nowhere.
 * @param wanted left out: whatever has the words, the chat itself included
 */
export async function filterChat(
  outline: ChatOutline,
  titles: BranchTitles,
  words: readonly string[],
  wanted?: Wanted,
): Promise<FilteredChat | undefined> {
  const has = (...texts: readonly string[]): boolean => {
    const all = texts.join(' ').toLocaleLowerCase();
    return words.every((word) => all.includes(word));
  };
  const shown = new Set<string>();
  let found = !wanted && has(outline.chat.title ?? '') ? 1 : 0;
  const show = (branchId: string | undefined): void => {
    for (let id = branchId; id !== undefined && !shown.has(id); id = outline.find(id)?.parentId)
      shown.add(id);
  };
  for (const [index, branch] of outline.branches.entries()) {
    if (index % BATCH === BATCH - 1) await new Promise((resolve) => setTimeout(resolve));
    const outlined = outline.find(branch.id);
    const title = outlined ? await titles.titleOf(outlined) : '';
    if (!has(branch.name, title, outline.explorationOf(branch)?.goal ?? '')) continue;
    if (wanted && !(await wanted.branch(branch))) continue;
    found += 1;
    show(branch.id);
  }
  for (const checkpoint of outline.checkpoints) {
    if (!has(checkpoint.name) || wanted?.checkpoint(checkpoint) === false) continue;
    found += 1;
    shown.add(checkpoint.id);
    show(outline.placeOf(checkpoint));
  }
  return found > 0 ? { shown, found } : undefined;
}
