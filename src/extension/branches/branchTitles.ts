import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';
import type { OutlinedBranch } from './outline.ts';

/** The longest title, in characters: more than a side bar has room for, so that VS Code cuts it and nobody else. */
const TITLE_LENGTH = 80;

/** Titles of branches: what a model called them, or else the first message in which they differ. Messages never change: each is read once. */
export class BranchTitles {
  private readonly titles = new Map<string, string>();

  constructor(private readonly store: ReadonlyStore) {}

  /**
   * '' for a branch that has nothing of its own yet, and for one at the top: its title is the chat's.
   * @param head of the branch, where it was read already
   */
  async titleOf(
    { branch, parentId, firstOwnId, title: written }: OutlinedBranch,
    head?: MessageData,
  ): Promise<string> {
    if (firstOwnId === undefined || parentId === undefined) return '';
    if (written !== undefined) return written;
    const key = JSON.stringify([branch.chatId, firstOwnId]);
    const known = this.titles.get(key);
    if (known !== undefined) return known;
    const message = head?.id === firstOwnId ? head : await this.store.getMessage(branch.chatId, firstOwnId);
    const read = message?.type === 'message' ? readUIMessage(message.data) : undefined;
    const title = read ? messageExcerpt(read, TITLE_LENGTH) : '';
    this.titles.set(key, title);
    return title;
  }
}
