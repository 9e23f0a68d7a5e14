import * as vscode from 'vscode';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import type { ChatProtocol } from '../../protocol/chatFromPage.ts';
import type { NoticeOf } from '../../protocol/everyPage.ts';
import type { FileMoves } from '../files/fileMoves.ts';
import type { Prompts } from '../context/prompts.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { UIMessagePart } from '../../engine/uiMessage.ts';
import type { GuardedFiles } from '../../host/guardedFiles.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import type { Attachments } from '../context/attachedFiles.ts';
import type { LastEditor } from '../context/lastEditor.ts';
import { runCommand } from '../manifest/runCommand.ts';
import { isFile } from '../files/openFolders.ts';
import type { OwnFiles } from '../files/ownFiles.ts';
import type { MessageQueue } from '../../conversation/messageQueue.ts';
import type { ComposerPrefill } from '../commands/currentChat.ts';

export type AskedText = Extract<NoticeOf<ChatProtocol>, { type: 'sendMessage' | 'askSideQuestion' }>;

/**
 * @param check called after reading, because another chat may have been opened by then
 * @returns false when the user cancelled: nothing was asked
 */
export async function askFromPage(
  {
    conversations,
    prompts,
    ...attaching
  }: Parameters<typeof partsOf>[0] & { readonly conversations: Conversations; readonly prompts: Prompts },
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

/** Does nothing if the user cancels the inputs of a prompt file. */
export async function editFromPage(
  {
    conversations,
    current,
    moves,
    prompts,
  }: {
    readonly conversations: Conversations;
    readonly current: Pick<OpenChat, 'chatId'>;
    readonly moves: FileMoves;
    readonly prompts: Prompts;
  },
  { messageId, text }: Extract<NoticeOf<ChatProtocol>, { type: 'editMessage' }>,
): Promise<void> {
  const { parentId } = await conversations.message(messageId);
  const ofPrompt = await prompts.take(text);
  if (!ofPrompt) return;
  await moves.go({
    chatId: await current.chatId(),
    messageId: parentId,
    title: vscode.l10n.t('Edit Prompt'),
    move: () => conversations.edit(messageId, text, ofPrompt),
  });
}

async function partsOf(
  {
    lastEditor,
    attachments,
    current,
    guarded,
    ownFiles,
  }: Parameters<typeof attachFromPage>[0] & {
    readonly attachments: Attachments;
    readonly current: Pick<OpenChat, 'chatId'>;
    readonly ownFiles: Pick<OwnFiles, 'known'>;
  },
  message: AskedText,
): Promise<UIMessagePart[]> {
  const given = message.attachments ?? [];
  const shown = message.editor && (await lastEditor.attachment(message.editor));
  // A link may lead to a file whose name marks it as a secret.
  const isSecret = shown?.type === 'file' && (await guarded.resolve(shown.path)).isSecret;
  const editor = isSecret ? undefined : shown;
  const isThere = given.some((each) => JSON.stringify(each) === JSON.stringify(editor));
  // What a branch works with has the same paths.
  const own = await (await ownFiles.known())?.guardedOf(await current.chatId());
  return attachments.parts(editor && !isThere ? [editor, ...given] : given, own);
}

export type AttachAction = Extract<
  NoticeOf<ChatProtocol>,
  { type: 'dropFiles' | 'attachFile' | 'toggleEditor' }
>;

/** @returns what to add to the question of the page */
export async function attachFromPage(
  { lastEditor, guarded }: { readonly lastEditor: LastEditor; readonly guarded: GuardedFiles },
  message: AttachAction,
): Promise<Attachment | undefined> {
  switch (message.type) {
    case 'dropFiles': {
      const uris = message.uris.flatMap((each) => droppedUri(each) ?? []);
      if (uris.length === 0) {
        throw new OffshootError('no-file', vscode.l10n.t('This is no file that can be attached.'));
      }
      await runCommand('offshoot.addToChat', uris[0], uris);
      return undefined;
    }
    case 'attachFile': {
      const { uri } = await guarded.resolve(message.path);
      await runCommand('offshoot.addToChat', vscode.Uri.parse(uri, true));
      return undefined;
    }
    case 'toggleEditor':
      if (lastEditor.now?.isSecret) return lastEditor.attachment(message.editor, { isByHand: true });
      await lastEditor.toggle(message.editor);
      return undefined;
  }
}

/**
 * The address of a file on this side of VS Code: if the extension host runs on another machine than the window, the
 * window names files by that machine. Undefined if the text is not a file address.
 */
function droppedUri(text: string): vscode.Uri | undefined {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(text, true);
  } catch {
    return undefined;
  }
  const isHere = uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined;
  if (isHere) return uri.with({ scheme: 'file', authority: '' });
  return isFile(uri) ? uri : undefined;
}

export type QueueAction = Extract<
  NoticeOf<ChatProtocol>,
  { type: 'editQueued' | 'removeQueued' | 'sendQueuedNow' | 'moveQueued' | 'steerQueued' }
>;

/** @returns what returns to the input */
export async function actOnQueue(
  { queue, attachments }: { readonly queue: MessageQueue; readonly attachments: Attachments },
  on: { readonly chatId: string; readonly branch: string },
  action: QueueAction,
): Promise<ComposerPrefill | undefined> {
  switch (action.type) {
    case 'editQueued': {
      const question = await queue.remove(on, action.id);
      return question && { text: question.text, attachments: attachments.of(question.attached) };
    }
    case 'removeQueued':
      await queue.remove(on, action.id);
      return undefined;
    case 'sendQueuedNow':
      await queue.sendNow(on, action.id);
      return undefined;
    case 'moveQueued':
      await queue.move(on, action.id, action.to);
      return undefined;
    case 'steerQueued':
      await queue.steer(on, action.id, action.steers);
      return undefined;
  }
}
