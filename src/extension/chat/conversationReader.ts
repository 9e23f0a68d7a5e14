import type { ChatFromHost } from '../../protocol/chatFromHost.ts';
import type { ConversationView } from '../../protocol/views.ts';
import type { SharedChats } from '../shared/sharedChats.ts';
import { runView } from '../answers/messageView.ts';
import { readWhole } from '../answers/readWhole.ts';
import { messageOf } from '../ui/failures.ts';
import { readConversation, type ViewSources } from './conversationView.ts';

/** Reads what a page shows; while a shared store cannot be reached, the last result stays. */
export class ConversationReader {
  private shown: ConversationView | undefined;

  constructor(private readonly sources: ViewSources) {}

  /** @throws the reading error, if nothing of the chat was read before */
  async read(): Promise<ConversationView> {
    const { sources } = this;
    try {
      const chatId = await sources.current.chatId();
      return (this.shown = await readWhole(sources.runs, chatId, () => readConversation(sources)));
    } catch (error) {
      const { shown } = this;
      if (sources.shared?.isLost !== true || shown?.chat.id !== (await sources.current.chatId())) throw error;
      const { keptView } = await import('./keptView.ts');
      return keptView(shown, sources, (run) => runView(run, sources.approvals));
    }
  }
}

/** Shown in place of a conversation that could not be read. */
export function failedView(
  error: unknown,
  shared: Pick<SharedChats, 'away'> | undefined,
): Extract<ChatFromHost, { type: 'conversationFailed' }> {
  const away = shared?.away;
  const isAway = away === undefined ? {} : ({ isAway: true } as const);
  return { type: 'conversationFailed', reason: away ?? messageOf(error), ...isAway };
}
