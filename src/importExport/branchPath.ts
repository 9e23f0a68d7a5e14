import type { PortableChat } from '../engine/portableChat.ts';

/** The messages of a branch from the first to its head; empty where there is no such branch. */
export function branchPath(chat: PortableChat, branch: string): PortableChat['messages'] {
  const byId = new Map(chat.messages.map((message) => [message.id, message]));
  const head = chat.branches.find(({ name }) => name === branch)?.headMessageId;
  const path: PortableChat['messages'] = [];
  for (let at = byId.get(head ?? ''); at; at = byId.get(at.parentId ?? '')) path.push(at);
  return path.reverse();
}
