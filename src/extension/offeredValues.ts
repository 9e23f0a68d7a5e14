import * as vscode from 'vscode';
import { isPinned } from '../engine/chatFlags.ts';
import type { OfferedKey } from './commands/families.ts';
import { readContextKeys } from './contextKeys.ts';
import { editedFileOf } from './files/editedHunks.ts';
import type { EditsReview } from './files/editsReview.ts';
import type { RelatedChats } from './storage/relatedChats.ts';

/** What decides which commands of a family are offered, as far as it is known here. */
export async function offeredValues(
  deps: Parameters<typeof readContextKeys>[0] & {
    readonly related: Pick<RelatedChats, 'all'>;
    readonly review: Pick<EditsReview, 'read'>;
    readonly workplace: unknown;
  },
): Promise<ReadonlyMap<string, boolean>> {
  const chatId = await deps.current.chatId();
  const chat = await deps.store.getChat(chatId);
  const document = vscode.window.activeTextEditor?.document;
  const edits = chat ? await deps.review.read(chatId) : [];
  const others: readonly [OfferedKey, boolean][] = [
    ['offshoot.isShared', deps.workplace !== undefined],
    ['isStored', chat !== undefined],
    ['isPinned', chat !== undefined && isPinned(chat)],
    ['isNotPinned', chat !== undefined && !isPinned(chat)],
    ['isWorkspaceTrusted', vscode.workspace.isTrusted],
    ['offshoot.hasEditsToReview', edits.length > 0],
    ['editorHasEdits', document !== undefined && editedFileOf(edits, document) !== undefined],
    ['hasChatsElsewhere', deps.related.all.length > 0],
  ];
  return new Map<string, boolean>([...(await readContextKeys(deps)), ...others]);
}
