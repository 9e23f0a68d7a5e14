import * as vscode from 'vscode';
import { BranchNotFoundError } from '../../engine/errors.ts';
import { isUserTurn } from '../../engine/pathSummary.ts';
import type { ShownChat } from '../commands/currentChat.ts';
import { branchOf, messageIdOf, type BranchArgument } from '../commands/commandArguments.ts';
import { oneLine } from '../ui/shownName.ts';
import { explained } from './branchFilesCommands.ts';
import { describeStep } from './describeStep.ts';
import { messageRows, pickMessageRow, pickMessage, type MessageRow } from '../commands/pickMessage.ts';
import { notifyWithUndo } from '../files/restoreNotifications.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import { storedQuestion } from '../../conversation/rewind.ts';
import { mayMoveInOwnFiles, requireMoveInOwnFiles } from './moveInOwnFiles.ts';
import type { KeepContext } from './keepBranch.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage, type UIMessagePart } from '../../engine/uiMessage.ts';
import type { Attachment } from '../../protocol/attachments.ts';
import { messageExcerpt } from '../commands/messageExcerpt.ts';
import { notify } from '../ui/notifications.ts';
import { timeAgo } from '../ui/formats.ts';

export function rewindCommands(
  deps: KeepContext & {
    readonly attachments: { of(parts: readonly UIMessagePart[]): Attachment[] };
  },
  chat: ShownChat,
): CommandHandlers<
  'rewind' | 'rewindToHere' | 'rewindInOwnFiles' | 'rewindToStep' | 'editAndBranch' | 'regenerate'
> {
  const { conversations, store, current, moves } = deps;
  /** A step may have no text. */
  const nameOf = async (messageId: string): Promise<string> => {
    const text = await conversations.messageText(messageId);
    return text === '' ? (describeStep(await conversations.message(messageId))?.text ?? '') : text;
  };
  /** A question goes from the chat to the input with its attachments, to be asked again or edited. */
  const rewindTo = async (messageId: string, isInOwnFiles = false): Promise<void> => {
    const chatId = await current.chatId();
    const message = await conversations.message(messageId);
    const question = isUserTurn(message) ? storedQuestion(message) : undefined;
    const excerpt = oneLine(await nameOf(messageId), 40);
    const inOwnFiles = await (isInOwnFiles ? requireMoveInOwnFiles : mayMoveInOwnFiles)(
      deps,
      chatId,
      excerpt,
    );
    const moved = await moves.go({
      chatId,
      inOwnFiles,
      isInOwnFiles,
      messageId: question ? message.parentId : messageId,
      title: vscode.l10n.t('Rewind to “{0}”', excerpt),
      move: () => (question ? conversations.rewindBefore(messageId) : conversations.rewind(messageId)),
    });
    // If only the files went back, the question is still in the chat.
    if (!moved?.move) {
      if (moved) notifyWithUndo(deps, moved, '');
      return;
    }
    const { text = '', parts = [] } = question ?? {};
    const isThere = moved.move.from === moved.move.to.name || moved.isInOwnFiles === true;
    // An empty branch that was made for it has the question in its input from the start.
    await chat.focus(isThere ? { text, attachments: deps.attachments.of(parts), isStored: true } : {});
    notifyWithUndo(deps, moved, vscode.l10n.t('Rewound to “{0}”.', excerpt));
  };
  /** The head of a branch may be in another chat than the current one. */
  const rewindToHead = async ({ chatId, name }: BranchArgument): Promise<void> => {
    const branch = await store.getBranch(chatId, name);
    if (typeof branch?.headMessageId !== 'string') throw new BranchNotFoundError(name);
    await current.open(chatId);
    await rewindTo(branch.headMessageId);
  };
  return {
    rewind: explained(async () => {
      const path = await conversations.path();
      const questions = new Set(path.filter(isUserTurn).map(({ id }) => id));
      const rows = messageRows(path).filter(({ messageId }) => questions.has(messageId));
      const messageId = await pickMessageRow(
        rows,
        {
          title: vscode.l10n.t('Rewind'),
          placeholder: vscode.l10n.t('Select a question to ask again or differently'),
        },
        chat,
      );
      if (messageId !== undefined) await rewindTo(messageId);
    }),
    rewindToHere: explained(async (argument) => {
      const branch = branchOf(argument);
      if (branch) return rewindToHead(branch);
      const messageId =
        messageIdOf(argument) ??
        (await pickMessage(conversations, vscode.l10n.t('Select a message to rewind to')));
      if (messageId !== undefined) await rewindTo(messageId);
    }),
    rewindInOwnFiles: explained(async (argument) => {
      const messageId =
        messageIdOf(argument) ??
        (await pickMessage(conversations, vscode.l10n.t('Select a message to rewind to')));
      if (messageId !== undefined) await rewindTo(messageId, true);
    }),
    rewindToStep: explained(async () => {
      const messageId = await pickStep(await conversations.path(), chat);
      if (messageId !== undefined) await rewindTo(messageId);
    }),
    editAndBranch: explained(async (argument) => {
      const messageId = messageIdOf(argument);
      if (messageId !== undefined) await rewindTo(messageId);
    }),
    regenerate: async (argument) => {
      const messageId = messageIdOf(argument) ?? (await conversations.path()).at(-1)?.id;
      if (messageId === undefined) return;
      const chatId = await current.chatId();
      const path = await store.getPath(chatId, messageId);
      const question = path.findLast(isUserTurn);
      await moves.go({
        chatId,
        messageId: question?.id ?? messageId,
        title: vscode.l10n.t('Regenerate'),
        move: () => conversations.regenerate(messageId),
      });
    },
  };
}

/** How much of the text of a step a row shows, in characters. */
const EXCERPT_LENGTH = 100;

/** Asks for one of the steps of the last turn that changed something; the focused one is shown in the chat. */
async function pickStep(
  path: readonly MessageData[],
  chat: Pick<ShownChat, 'preview' | 'endPreview'>,
): Promise<string | undefined> {
  const rows = stepRows(path);
  if (rows.length === 0) {
    void notify.information(vscode.l10n.t('The last answer has no step to rewind to.'));
    return undefined;
  }
  const title = vscode.l10n.t('Rewind to Step');
  return pickMessageRow(rows, { title, placeholder: vscode.l10n.t('Select a step to rewind to') }, chat);
}

/** The steps of the last turn that has any, in order, except the current one. */
export function stepRows(path: readonly MessageData[]): MessageRow[] {
  const steps: { readonly message: MessageData; readonly text: string }[] = [];
  for (const message of path.slice(0, -1).toReversed()) {
    if (isUserTurn(message) && steps.length > 0) break;
    const text = describeStep(message)?.text;
    if (text !== undefined) steps.push({ message, text });
  }
  return steps.toReversed().map(({ message, text }, index) => {
    const read = readUIMessage(message.data);
    const excerpt = read ? messageExcerpt(read, EXCERPT_LENGTH) : '';
    return {
      icon: 'git-commit',
      label: text,
      description: `#${index + 1} · ${timeAgo(message.createdAt)}`,
      ...(excerpt === '' ? {} : { detail: excerpt }),
      messageId: message.id,
      number: index + 1,
    };
  });
}
