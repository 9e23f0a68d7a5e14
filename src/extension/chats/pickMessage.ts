import * as vscode from 'vscode';
import { isToldNote } from '../../engine/pathSummary.ts';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { isUserTurn } from '../../engine/userTurn.ts';
import { firstWords } from './messageExcerpt.ts';
import { timeAgo } from '../ui/timeAgo.ts';
import { pickOne } from '../ui/quickPick.ts';
import type { Conversations } from '../../conversation/conversations.ts';

export interface PickMessageDeps {
  readonly conversations: Conversations;
}

/** Asks for a message of the current branch; undefined when none was chosen. */
export async function pickMessage(
  { conversations }: PickMessageDeps,
  title: string,
): Promise<string | undefined> {
  const path = await conversations.path();
  const items = path.toReversed().flatMap((message) => {
    const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
    if (!read) return [];
    const icon = isToldNote(read) ? 'discard' : isUserTurn(read) ? 'account' : 'sparkle';
    const text = firstWords(read, 100);
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
