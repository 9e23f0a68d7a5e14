import type { MessageData } from '../../engine/graph.ts';
import * as vscode from 'vscode';
import { branchSummaryOf } from '../../engine/branchSummary.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { PickList, pickOne, type PickRow } from '../ui/quickPick.ts';
import { timeAgo } from '../ui/formats.ts';
import { messageExcerpt } from './messageExcerpt.ts';
import type { ShownChat } from './currentChat.ts';
import { isNoticeMessage, isUserTurn } from '../../engine/pathSummary.ts';
import type { Conversations } from '../../conversation/conversations.ts';

/** In characters. */
const EXCERPT_LENGTH = 100;

/** How many messages from the end are previewed as the user moves through the list; above, only the picked one is. */
const PREVIEW_REACH = 300;

export interface MessageRow extends PickRow {
  readonly messageId: string;
  /** From 1, in order. */
  readonly number: number;
  /** Its beginning on one line, longer than the label: what is typed is found there, too. */
  readonly text?: string;
}

/** How much of a message is searched, in characters, and how much is shown before what was found. */
const SEARCHED_LENGTH = 8_000;
const CONTEXT_LENGTH = 30;

export function messageRows(path: readonly MessageData[]): MessageRow[] {
  return path.flatMap(readRow).map(numbered);
}

/** While the list is open, the chat shows the focused row. */
export async function pickMessageRow(
  rows: readonly MessageRow[],
  { title, placeholder }: { readonly title: string; readonly placeholder: string },
  chat: Pick<ShownChat, 'preview' | 'endPreview'>,
): Promise<string | undefined> {
  const picker = new PickList<MessageRow>({ title, placeholder, matchOnDescription: true });
  picker.rows = rows;
  const last = rows.at(-1);
  if (last) picker.activeRows = [last];
  const end = last?.number ?? 0;
  // The list reports its active row as soon as it opens; the user has not moved then.
  let shown = last?.messageId;
  const show = ([active]: readonly MessageRow[]): void => {
    if (!active || active.messageId === shown) return;
    shown = active.messageId;
    if (active.number > end - PREVIEW_REACH) chat.preview(active.messageId);
  };
  try {
    return await new Promise<string | undefined>((resolve) => {
      picker.onDidChangeActive(show);
      let hasFound = false;
      picker.onDidChangeValue((value) => {
        const found = withFound(rows, value);
        if (found !== rows || hasFound) picker.rows = found;
        hasFound = found !== rows;
        const wanted = Number(/^#?(\d+)$/.exec(value.trim())?.[1]);
        const row = found.find(({ number }) => number === wanted);
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

/** The list matches labels alone: rows that have the words further on show them. @returns `rows` if there are none */
export function withFound(rows: readonly MessageRow[], value: string): readonly MessageRow[] {
  const words = value.trim().toLocaleLowerCase();
  if (words === '') return rows;
  const all = rows.map((row) => {
    const { text = '' } = row;
    const at = row.label.toLocaleLowerCase().includes(words) ? -1 : text.toLocaleLowerCase().indexOf(words);
    if (at === -1) return row;
    const start = Math.max(0, at - CONTEXT_LENGTH);
    const detail = text.slice(start, start + EXCERPT_LENGTH).toWellFormed();
    return { ...row, detail: start === 0 ? detail : `…${detail}`, alwaysShow: true };
  });
  return all.some((row, index) => row !== rows[index]) ? all : rows;
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
      text: messageExcerpt(read, SEARCHED_LENGTH),
    },
  ];
}

function numbered(row: Omit<MessageRow, 'number'>, index: number): MessageRow {
  const number = index + 1;
  return { ...row, number, description: `#${number} · ${row.description ?? ''}` };
}

/** Undefined when none was picked. */
export async function pickMessage(conversations: Conversations, title: string): Promise<string | undefined> {
  const path = await conversations.path();
  const items = path.toReversed().flatMap((message) => {
    const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
    if (!read) return [];
    const icon = isNoticeMessage(read) ? 'discard' : isUserTurn(read) ? 'account' : 'sparkle';
    const text = messageExcerpt(read, 100);
    return [
      {
        icon,
        label: text === '' ? vscode.l10n.t('(no text)') : text,
        description: timeAgo(message.createdAt),
        messageId: message.id,
      },
    ];
  });
  const picked = await pickOne(items, { title, matchOnDescription: true });
  return picked?.messageId;
}
