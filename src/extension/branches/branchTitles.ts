import type { MessageData } from '../../engine/graph.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { oneLine } from '../ui/shownName.ts';
import type { ChatOutline, OutlinedBranch } from './outline.ts';

/** The longest title, in characters: more than fits in a side bar, so that only VS Code cuts it. */
export const TITLE_LENGTH = 80;

/** How much of a goal is shown, in characters. */
const EXPLORED_LENGTH = 60;

/** The title by a model, or else the question in which branches differ: read once, as messages never change. */
export class BranchTitles {
  private readonly titles = new Map<string, string>();

  /** @param mainLine the label of the branch that a chat begins with: its title is the chat's */
  constructor(
    private readonly store: ReadonlyStore,
    private readonly mainLine: string,
  ) {}

  /** What the agent explored there, the name a user gave, or else its title; '' if there is none yet. */
  async labelOf(outline: ChatOutline, outlined: OutlinedBranch): Promise<string> {
    const { branch, isTrunk } = outlined;
    const explored = outline.explorationOf(branch);
    if (explored) return oneLine(explored.goal, EXPLORED_LENGTH);
    return outline.givenNameOf(branch) ?? (isTrunk ? this.mainLine : this.titleOf(outlined));
  }

  /**
   * '' for a branch without own messages, and for the one that the chat begins with: its title is the chat's.
   * @param head of the branch, if it was read already
   */
  async titleOf(
    { branch, isTrunk, subjectId, title: written }: OutlinedBranch,
    head?: MessageData,
  ): Promise<string> {
    if (subjectId === undefined || isTrunk) return '';
    if (written !== undefined) return written;
    const key = JSON.stringify([branch.chatId, subjectId]);
    const known = this.titles.get(key);
    if (known !== undefined) return known;
    const message = head?.id === subjectId ? head : await this.store.getMessage(branch.chatId, subjectId);
    const read = message?.type === 'message' ? readUIMessage(message.data) : undefined;
    const title = read ? messageExcerpt(read, TITLE_LENGTH) : '';
    this.titles.set(key, title);
    return title;
  }
}
