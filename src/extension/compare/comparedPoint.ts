import * as vscode from 'vscode';
import { BranchNotFoundError, MessageNotFoundError } from '../../engine/errors.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { BranchLabels } from '../branches/branchLabels.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';

export interface ComparedPointDeps {
  readonly labels: BranchLabels;
  readonly store: ReadonlyStore;
}

/** How much of a message is used as its name, in characters. */
const NAME_LENGTH = 40;

/** One of the two points that are compared: a message and the path to it; null: before the first. */
export interface ComparedPoint {
  readonly headId: string | null;
  /** Its label: the branch, or the text of the message. */
  readonly name: string;
}

/** @throws BranchNotFoundError */
export async function pointOfBranch(
  { labels, store }: ComparedPointDeps,
  chatId: string,
  name: string,
): Promise<ComparedPoint> {
  const branch = await store.getBranch(chatId, name);
  if (!branch) throw new BranchNotFoundError(name);
  return { headId: branch.headMessageId, name: await labels.label(chatId, name) };
}

/** Named after the branch that ends there, if any. @throws MessageNotFoundError */
export async function pointOfMessage(
  { labels, store }: ComparedPointDeps,
  chatId: string,
  messageId: string,
): Promise<ComparedPoint> {
  const message = await store.getMessage(chatId, messageId);
  if (!message) throw new MessageNotFoundError(messageId);
  const branches = await store.listBranches(chatId, { includeArchived: true });
  const branch = branches.find(({ headMessageId }) => headMessageId === messageId);
  if (branch) return { headId: messageId, name: await labels.label(chatId, branch.name) };
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  const excerpt = read ? messageExcerpt(read, NAME_LENGTH) : '';
  return { headId: messageId, name: excerpt === '' ? vscode.l10n.t('(no text)') : `“${excerpt}”` };
}
