import * as vscode from 'vscode';
import type { MessageData } from '../../engine/graph.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import { messageExcerpt } from '../chats/messageExcerpt.ts';
import { pickMessageRow, type MessageRow } from '../chats/pickMessageRow.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { notify } from '../ui/notifications.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { describeStep } from './describeStep.ts';

/** How much of the text of a step a row shows, in characters. */
const EXCERPT_LENGTH = 100;

/** Asks for one of the steps of the last turn that changed something; the focused one is shown in the chat. */
export async function pickStep(
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
