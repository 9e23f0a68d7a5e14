import * as vscode from 'vscode';
import { momentText } from '../formats.ts';
import type { Services } from '../services.ts';

/** Asks for a checkpoint of the current chat, the newest first; undefined when none was chosen or there is none. */
export async function pickCheckpoint(
  { store, current }: Pick<Services, 'store' | 'current'>,
  title: string,
): Promise<{ readonly chatId: string; readonly name: string } | undefined> {
  const chatId = await current.chatId();
  const checkpoints = (await store.getChat(chatId)) ? await store.listCheckpoints(chatId) : [];
  if (checkpoints.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no checkpoint in this chat yet. Set one with “Offshoot: Create Checkpoint”.'),
    );
    return undefined;
  }
  const items = checkpoints.toReversed().map(({ name, createdAt }) => ({
    label: name,
    description: momentText(createdAt),
  }));
  const picked = await vscode.window.showQuickPick(items, { title });
  return picked && { chatId, name: picked.label };
}
