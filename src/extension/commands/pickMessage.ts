import * as vscode from 'vscode';
import { readUIMessage } from '../../engine/uiMessage.ts';
import { firstWords } from '../firstWords.ts';
import { timeText } from '../formats.ts';
import type { Services } from '../services.ts';

/** Asks for a message of the current branch; undefined when none was chosen. */
export async function pickMessage({ conversations }: Services, title: string): Promise<string | undefined> {
  const path = await conversations.path();
  const items = path.toReversed().flatMap((message) => {
    const read = message.type === 'message' ? readUIMessage(message.data) : undefined;
    if (!read) return [];
    const icon = read.role === 'user' ? '$(account)' : '$(sparkle)';
    const text = firstWords(read, 100);
    return [
      {
        label: `${icon} ${text === '' ? vscode.l10n.t('(no text)') : text}`,
        description: timeText(message.createdAt),
        messageId: message.id,
      },
    ];
  });
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return picked?.messageId;
}
