import * as vscode from 'vscode';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import type { ChatView } from './chatView.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { PickList, type PickRow } from '../ui/quickPick.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface GoToCommandsDeps {
  readonly conversations: Conversations;
}

/** How much of a message a row shows, in characters. */
const EXCERPT_LENGTH = 100;

/** How many messages from the end are shown while one moves through the list; further up, only the chosen one is. */
const PREVIEW_REACH = 300;

interface MessageRow extends PickRow {
  readonly messageId: string;
  readonly number: number;
}

/** Going to a message of the branch one is on: by its words or number, or from question to question. */
export function goToCommands(
  deps: GoToCommandsDeps,
  chat: ChatView,
): CommandHandlers<'goToMessage' | 'previousQuestion' | 'nextQuestion'> {
  return {
    goToMessage: async () => {
      const rows = (await deps.conversations.path()).flatMap(readRow).map(numbered);
      const messageId = await pickRow(rows, chat);
      if (messageId !== undefined) await chat.reveal(messageId);
    },
    previousQuestion: () => chat.stepQuestion('previous'),
    nextQuestion: () => chat.stepQuestion('next'),
  };
}

/** Asks which one; each that is moved over is shown in the chat meanwhile. */
async function pickRow(rows: readonly MessageRow[], chat: ChatView): Promise<string | undefined> {
  const picker = new PickList<MessageRow>({
    title: vscode.l10n.t('Go to Message'),
    placeholder: vscode.l10n.t('Words of the message, or its number'),
    matchOnDescription: true,
  });
  picker.rows = rows;
  const last = rows.at(-1);
  if (last) picker.activeRows = [last];
  // The list says which one is active as soon as it shows; that is no move of the user's.
  let shown = last?.messageId;
  const show = ([active]: readonly MessageRow[]): void => {
    if (!active || active.messageId === shown) return;
    shown = active.messageId;
    if (active.number > rows.length - PREVIEW_REACH) chat.preview(active.messageId);
  };
  try {
    return await new Promise<string | undefined>((resolve) => {
      picker.onDidChangeActive(show);
      picker.onDidChangeValue((value) => {
        const wanted = Number(/^#?(\d+)$/.exec(value.trim())?.[1]);
        const row = rows.find(({ number }) => number === wanted);
        if (row) picker.activeRows = [row];
      });
      picker.onDidAccept(() => resolve(picker.activeRows[0]?.messageId));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
    });
  } finally {
    picker.dispose();
    chat.endPreview();
  }
}

function readRow(message: MessageData): Omit<MessageRow, 'number'>[] {
  const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
  if (!read) return [];
  const summary = branchSummaryOf(read);
  const text = messageExcerpt(read, EXCERPT_LENGTH);
  const icon = summary ? 'discard' : read.role === 'user' ? 'account' : 'sparkle';
  return [
    {
      icon,
      label: text === '' ? vscode.l10n.t('(no text)') : text,
      description: timeAgo(message.createdAt),
      messageId: message.id,
    },
  ];
}

function numbered(row: Omit<MessageRow, 'number'>, index: number): MessageRow {
  const number = index + 1;
  return { ...row, number, description: `#${number} · ${row.description ?? ''}` };
}
