import type { ViewedBy } from '../../engine/viewedBy.ts';
import { findBranch, requireBranch } from '../branches.ts';
import { findChat, requireChatRef } from '../chats.ts';
import type { Transaction } from '../database.ts';
import { putDraft, removeDraft } from '../drafts.ts';
import type { DraftToSave } from '../writeTypes.ts';
import { quiet, type Outcome } from './outcome.ts';

export function saveDraft(
  transaction: Transaction,
  now: number,
  { chatId, branch, data, owner, userId }: DraftToSave,
): Outcome<undefined> {
  const chat = requireChatRef(transaction, chatId, { userId });
  putDraft(transaction, chat, requireBranch(transaction, chat, branch), { data, owner }, now);
  return quiet(undefined);
}

export function deleteDraft(
  transaction: Transaction,
  _now: number,
  chatId: string,
  branch: string,
  by: ViewedBy,
): Outcome<undefined> {
  const chat = findChat(transaction, chatId, by);
  const stored = chat && findBranch(transaction, chat, branch);
  if (stored) removeDraft(transaction, chat, stored);
  return quiet(undefined);
}
