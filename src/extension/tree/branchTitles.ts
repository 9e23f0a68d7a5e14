import { saidOf } from '../../agent/attachments/saidOf.ts';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { ContextStore } from '../../engine/store.ts';
import { pathSummaryOf } from '../../engine/pathSummary.ts';
import { readUIMessage, type UIMessage } from '../../engine/uiMessage.ts';
import { oneLine } from '../oneLine.ts';
import type { OutlinedBranch } from './outline.ts';

/** The longest title, in characters. */
const TITLE_LENGTH = 40;

/** Titles of branches: what a model called them, or else the first message in which they differ. Messages never change: each is read once. */
export class BranchTitles {
  private readonly titles = new Map<string, string>();

  constructor(private readonly store: ContextStore) {}

  /** '' for a branch that has nothing of its own yet, and for one at the top: its title is the chat's. */
  async titleOf({ branch, parentId, firstOwnId, title: written }: OutlinedBranch): Promise<string> {
    if (firstOwnId === undefined || parentId === undefined) return '';
    if (written !== undefined) return written;
    const key = JSON.stringify([branch.chatId, firstOwnId]);
    const known = this.titles.get(key);
    if (known !== undefined) return known;
    const message = await this.store.getMessage(branch.chatId, firstOwnId);
    const read = message?.type === 'message' ? readUIMessage(message.data) : undefined;
    const title = read ? oneLine(gistOf(read), TITLE_LENGTH) : '';
    this.titles.set(key, title);
    return title;
  }
}

/** Of a report or a summary what it says itself, without what the model is told around it. */
function gistOf(message: UIMessage): string {
  return branchSummaryOf(message)?.report ?? pathSummaryOf(message)?.text ?? saidOf(message);
}
