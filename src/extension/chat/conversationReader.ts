import type { ConversationView } from '../../protocol/views.ts';
import { runView } from '../answers/messageView.ts';
import { readConversation, type ViewSources } from './conversationView.ts';

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
    const run = runs.get(rest.chat.id, rest.branch);
    const running = run?.status === 'streaming' ? { running: runView(run, approvals) } : {};
    return { ...rest, ...running, banners: banners.all() };
  }
}
