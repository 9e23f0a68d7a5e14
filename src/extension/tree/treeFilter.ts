import type { BranchData, CheckpointData } from '../../engine/graph.ts';
import type { ChatOutline } from '../branches/outline.ts';
import type { BranchTitles } from '../branches/branchTitles.ts';

export interface FilteredChat {
  /** Ids of branches and checkpoints: the matches, and the path to them. */
  readonly shown: ReadonlySet<string>;
  /** Includes the chat itself. */
  readonly found: number;
}

/** Branches checked before yielding. */
const BATCH = 500;

/** Normalized for comparison. */
export function filterTerms(text: string): string[] {
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Conditions on items in addition to the words. */
export interface Wanted {
  branch(branch: BranchData): boolean | Promise<boolean>;
  checkpoint(checkpoint: CheckpointData): boolean;
}

/**
 * Searches names and titles; undefined if nothing has the words.
 * @param wanted left out: everything with the words, including the chat itself
 */
export async function filterChat(
  outline: ChatOutline,
  titles: BranchTitles,
  words: readonly string[],
  wanted?: Wanted,
): Promise<FilteredChat | undefined> {
  const has = (text: string, name?: string): boolean => {
    const shown = text.toLocaleLowerCase();
    return words.every((word) => shown.includes(word) || word === name?.toLocaleLowerCase());
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
    const label = outlined ? await titles.labelOf(outline, outlined) : '';
    // No part of its own name: where that is a generated one, it is not shown.
    if (!has(`${label} ${title}`, branch.name)) continue;
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
