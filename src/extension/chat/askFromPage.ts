import * as vscode from 'vscode';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/envelope.ts';
import type { FileMoves } from '../fileRestore/fileMoves.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { partsOf, type AttachFromPageDeps } from './attachFromPage.ts';

/** A question before it is asked. */
export type AskedText = Extract<NoticeOf<ChatProtocol>, { type: 'sendMessage' | 'askSideQuestion' }>;

export interface AskFromPageDeps extends AttachFromPageDeps {
  readonly conversations: Conversations;
  readonly prompts: Prompts;
}

/**
 * Asks what the page sends, with its attachments and the text of a prompt file that it names.
 * @param check called once all is read, because another chat may have been opened meanwhile
 * @returns false when the user cancelled: nothing was asked
 */
export async function askFromPage(
  { conversations, prompts, ...attaching }: AskFromPageDeps,
  message: AskedText,
  check: () => Promise<void>,
): Promise<boolean> {
  const { text } = message;
  const ofPrompt = await prompts.take(text);
  if (!ofPrompt) return false;
  const parts = [...ofPrompt, ...(await partsOf(attaching, message))];
  await check();
  if (message.type === 'sendMessage') await conversations.askOrQueue(text, parts, message.steers);
  else await conversations.askSideQuestion(text, parts, message.branch);
  return true;
}

export interface EditFromPageDeps {
  readonly conversations: Conversations;
  readonly current: Pick<OpenChat, 'chatId'>;
  readonly moves: FileMoves;
  readonly prompts: Prompts;
}

/** Asks an edited question on a new branch; does nothing if the user cancels the inputs of a prompt file. */
export async function editFromPage(
  { conversations, current, moves, prompts }: EditFromPageDeps,
  { messageId, text }: Extract<NoticeOf<ChatProtocol>, { type: 'editMessage' }>,
): Promise<void> {
  const { parentId } = await conversations.message(messageId);
  const ofPrompt = await prompts.take(text);
  if (!ofPrompt) return;
  await moves.go({
    chatId: await current.chatId(),
    messageId: parentId,
    title: vscode.l10n.t('Edit and Branch'),
    move: () => conversations.edit(messageId, text, ofPrompt),
  });
}
