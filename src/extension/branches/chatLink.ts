import * as vscode from 'vscode';
import { z } from 'zod';
import { CHAT_LINK } from '../../protocol/pageFacts.ts';
import type { Conversations } from '../../conversation/conversations.ts';
import { OffshootError } from '../../engine/errors.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ChatsOfUser } from '../commands/pickChat.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { oneLine } from '../ui/shownName.ts';

// vscode://offshoot.offshoot/chat/<id>/message/<id>?workspace=<name>. Anyone may have written the part after the name
// of the extension: it names a place, and can express nothing else.

const id = z.string().min(1).max(1_000);

const chatLink = z.strictObject({
  chatId: id,
  messageId: id.optional(),
  branch: z.string().min(1).max(200).optional(),
  /** The name of the workspace where the link was copied: only that has the chat. */
  workspace: z.string().min(1).max(200).optional(),
});

export type ChatLink = z.infer<typeof chatLink>;

const EXTENSION = 'offshoot.offshoot';

/** A link to a place, for this edition of VS Code. */
export function chatLinkTo({ chatId, messageId, branch, workspace }: ChatLink): string {
  const place =
    messageId !== undefined
      ? `/message/${segment(messageId)}`
      : branch !== undefined
        ? `/branch/${segment(branch)}`
        : '';
  const query = workspace === undefined ? '' : `?workspace=${encodeURIComponent(workspace)}`;
  return `${vscode.env.uriScheme}://${EXTENSION}/chat/${segment(chatId)}${place}${query}`;
}

/** Undefined for text that is not a link. */
export function readChatLink(link: string): ChatLink | undefined {
  if (!CHAT_LINK.test(link)) return undefined;
  const uri = parsed(link);
  if (uri?.fragment !== '') return undefined;
  const [, , chatId, kind, name, ...more] = uri.path.split('/').map(plain);
  const isWhole = name !== undefined && more.length === 0;
  if (kind !== undefined && !(isWhole && (kind === 'message' || kind === 'branch'))) return undefined;
  const workspace = /^workspace=([^]+)$/u.exec(uri.query)?.[1];
  return chatLink.safeParse({
    chatId,
    ...(kind === 'message' ? { messageId: name } : {}),
    ...(kind === 'branch' ? { branch: name } : {}),
    ...(workspace === undefined ? {} : { workspace }),
  }).data;
}

function parsed(link: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(link, true);
  } catch {
    return undefined;
  }
}

/** VS Code decodes a path before it is split: a slash in a name must survive that. */
function segment(name: string): string {
  return encodeURIComponent(name.replaceAll('%', '%25').replaceAll('/', '%2F'));
}

function plain(part: string): string {
  return part.replaceAll('%2F', '/').replaceAll('%25', '%');
}

const NAME_LENGTH = 80;

/** Never restores a file: anyone may have written the link. @throws OffshootError for a link without a target */
export async function openChatLink(
  deps: ChatsOfUser & { readonly conversations: Conversations },
  chat: Pick<ShownChat, 'focus' | 'reveal'>,
  text: string,
): Promise<void> {
  const link = readChatLink(text.trim());
  if (!link) {
    throw new OffshootError('link-unreadable', vscode.l10n.t('This is no link to a message or a branch.'));
  }
  const { store, current, conversations } = deps;
  if (!(await store.getChat(link.chatId))) throw await chatNotFound(deps, link);
  const branch = await branchOf(store, link);
  if (branch && !branch.isActive) await conversations.switchBranch(branch.name, link.chatId);
  await current.open(link.chatId);
  if (link.messageId === undefined) await chat.focus();
  else await chat.reveal(link.messageId);
}

/** The branch to switch to: the one of the link, or one with its message; undefined if any will do. */
async function branchOf(
  store: ReadonlyStore,
  { chatId, messageId, branch: name }: ChatLink,
): Promise<{ readonly name: string; readonly isActive: boolean } | undefined> {
  if (messageId !== undefined) {
    const branch = await store.findBranchWith(chatId, messageId);
    if (branch) return branch;
    if (!(await store.getMessage(chatId, messageId))) {
      throw new OffshootError(
        'message-not-found',
        vscode.l10n.t('The message this link leads to is not in the chat. It may have been deleted.'),
      );
    }
    throw new OffshootError(
      'message-on-no-branch',
      vscode.l10n.t('This message is on no branch any more. Restore the checkpoint that leads to it.'),
    );
  }
  if (name === undefined) return undefined;
  const branch = (await store.listBranches(chatId, { includeArchived: true })).find(
    (each) => each.name === name,
  );
  if (branch) return branch;
  throw new OffshootError(
    'branch-not-found',
    vscode.l10n.t(
      'The branch “{0}” is not in the chat. It may have been renamed or deleted.',
      oneLine(name, NAME_LENGTH),
    ),
  );
}

/** Chats are stored by workspace: the link names the one it belongs to. */
async function chatNotFound({ store, userId }: ChatsOfUser, link: ChatLink): Promise<OffshootError> {
  const { workspace } = link;
  const trash = await store.trash.list({ userId });
  if (trash.some((entry) => entry.kind === 'chat' && entry.chatId === link.chatId)) {
    return new OffshootError('chat-in-trash', vscode.l10n.t('The chat this link leads to is in the trash.'));
  }
  if (workspace !== undefined && workspace !== vscode.workspace.name) {
    return new OffshootError(
      'other-workspace',
      vscode.l10n.t(
        'This link leads to a chat of the workspace “{0}”. Open that workspace, then the link again.',
        oneLine(workspace, NAME_LENGTH),
      ),
    );
  }
  return new OffshootError(
    'chat-not-found',
    vscode.l10n.t(
      'The chat this link leads to is not in this workspace. It may have been deleted, or be one of another workspace.',
    ),
  );
}
