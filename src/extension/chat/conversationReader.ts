import * as vscode from 'vscode';
import type { ChatFromHost } from '../../protocol/chatFromHost.ts';
import type { ConversationView } from '../../protocol/views.ts';
import { runView } from '../answers/messageView.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import { messageOf } from '../ui/failures.ts';
import { readConversation, withUnsaved, type ViewSources } from './conversationView.ts';

/** Reads what a page shows; while a shared store cannot be reached, what was read before stays. */
export class ConversationReader {
  private shown: ConversationView | undefined;

  constructor(private readonly sources: ViewSources) {}

  /** @throws what keeps it from being read, where nothing of the chat was read before */
  async read(): Promise<ConversationView> {
    try {
      return (this.shown = await readConversation(this.sources));
    } catch (error) {
      const kept = this.sources.shared?.isLost === true ? await this.kept() : undefined;
      if (!kept) throw error;
      return kept;
    }
  }

  /** What was read, with what arrives in this window. */
  private async kept(): Promise<ConversationView | undefined> {
    const { current, banners, runs, approvals } = this.sources;
    if (this.shown?.chat.id !== (await current.chatId())) return undefined;
    const { running: _before, ...rest } = this.shown;
    const { id } = rest.chat;
    const run = runs.get(id, rest.branch);
    const running = run?.status === 'streaming' ? { running: runView(run, approvals) } : {};
    const ended = runs.failed(id, rest.branch);
    const messages = ended?.saveAgain ? withUnsaved(rest.messages, runView(ended, approvals)) : rest.messages;
    const sideQuestions = rest.sideQuestions.map((side) => {
      const answering = runs.get(id, side.branch) ?? runs.failed(id, side.branch);
      return answering ? { ...side, answer: runView(answering, approvals) } : side;
    });
    return { ...rest, ...running, messages, sideQuestions, banners: banners.all() };
  }
}

/** What stands in place of a conversation that could not be read. */
export function failedView(
  error: unknown,
  shared: Pick<SharedChats, 'isLost'> | undefined,
): Extract<ChatFromHost, { type: 'conversationFailed' }> {
  if (shared?.isLost !== true) return { type: 'conversationFailed', reason: messageOf(error) };
  const reason = vscode.l10n.t(
    'The shared store can’t be reached. Your chats there appear as soon as it can: it is tried again by itself.',
  );
  return { type: 'conversationFailed', reason, isAway: true };
}
