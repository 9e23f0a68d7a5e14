import * as vscode from 'vscode';
import { isNoticeMessage } from '../../engine/pathSummary.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import { messageExcerpt } from './messageExcerpt.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface PickMessageDeps {
  readonly conversations: Conversations;
}

/** Asks for a message of the current branch; undefined when none was picked. */
export async function pickMessage(
  { conversations }: PickMessageDeps,
  title: string,
): Promise<string | undefined> {
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
