import type { BranchData, ChatData } from '../../engine/graph.ts';
import type { SearchResult } from '../../engine/store.ts';

/** A message that was found, with its place. */
export interface Found {
  readonly result: SearchResult;
  readonly chat: ChatData;
  /** Undefined when only a checkpoint leads to it. */
  readonly branch: BranchData | undefined;
}

export interface BranchResults {
  readonly chatId: string;
  readonly branch: BranchData | undefined;
  readonly messages: readonly SearchResult[];
}

export interface ChatResults {
  readonly chat: ChatData;
  readonly count: number;
  readonly branches: readonly BranchResults[];
}

/**
 * Groups results by chat and branch. The best chats and branches come first; in a branch, messages keep the order of
 * the conversation.
 * @param found best first
 */
export function groupResults(found: readonly Found[]): ChatResults[] {
  const chats = new Map<string, { chat: ChatData; found: Found[] }>();
  for (const each of found) {
    const known = chats.get(each.chat.id);
    if (known) known.found.push(each);
    else chats.set(each.chat.id, { chat: each.chat, found: [each] });
  }
  return [...chats.values()].map(({ chat, found: inChat }) => ({
    chat,
    count: inChat.length,
    branches: groupByBranch(chat.id, inChat),
  }));
}

function groupByBranch(chatId: string, found: readonly Found[]): BranchResults[] {
  const branches = new Map<
    string | undefined,
    { branch: BranchData | undefined; messages: SearchResult[] }
  >();
  for (const { branch, result } of found) {
    const known = branches.get(branch?.id);
    if (known) known.messages.push(result);
    else branches.set(branch?.id, { branch, messages: [result] });
  }
  return [...branches.values()].map(({ branch, messages }) => ({
    chatId,
    branch,
    messages: messages.sort((a, b) => a.message.depth - b.message.depth),
  }));
}
