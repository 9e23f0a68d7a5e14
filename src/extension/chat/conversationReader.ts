import type { ChatFromHost, ConversationView } from '../../protocol/chatFromHost.ts';
import type { SharedChats } from '../storage/sharedChats.ts';
import { runView } from '../pages/messageView.ts';
import { readWhole } from '../pages/readWhole.ts';
import { messageOf } from '../ui/failures.ts';
import {
  chosenModel,
  currentModel,
  readConversation,
  NEW_BRANCH,
  type ViewSources,
} from './conversationView.ts';
import type { OpenChat } from '../../conversation/conversationParts.ts';
import { ShownModel } from './shownModel.ts';
import type { ReadonlyStore } from '../../engine/readonlyStore.ts';
import type { ShownPosition } from '../../protocol/chatFromPage.ts';

/** While a shared store cannot be reached, the last result stays. */
export class ConversationReader {
  private shown: ConversationView | undefined;
  private readonly model: ShownModel;

  /** @param onDidFindModel is called when a conversation was read before its model was found */
  constructor(
    private readonly sources: ViewSources,
    onDidFindModel: () => void = () => undefined,
  ) {
    this.model = new ShownModel(
      () => currentModel(sources),
      () => chosenModel(sources.settings),
      onDidFindModel,
    );
  }

  /** @throws the reading error, if nothing of the chat was read before */
  async read(): Promise<ConversationView> {
    const { sources } = this;
    try {
      const model = this.model.look();
      // This may open the store.
      const chatId = await sources.current.chatId();
      const reading = (): Promise<ConversationView> => readConversation(sources, model);
      return (this.shown = await readWhole(sources.runs, chatId, reading));
    } catch (error) {
      const { shown } = this;
      if (sources.shared?.isLost !== true || shown?.chat.id !== (await sources.current.chatId())) throw error;
      const { keptView } = await import('./keptView.ts');
      return keptView(shown, sources, (run) => runView(run, sources.approvals));
    }
  }
}

export function failedView(
  error: unknown,
  shared: Pick<SharedChats, 'away'> | undefined,
): Extract<ChatFromHost, { type: 'conversationFailed' }> {
  const away = shared?.away;
  const isAway = away === undefined ? {} : ({ isAway: true } as const);
  return { type: 'conversationFailed', reason: away ?? messageOf(error), ...isAway };
}

export async function placeOf({
  store,
  current,
}: {
  readonly store: Pick<ReadonlyStore, 'getChat' | 'getActiveBranch'>;
  readonly current: Pick<OpenChat, 'chatId'>;
}): Promise<ShownPosition & { readonly branch: string }> {
  const chatId = await current.chatId();
  const branch = (await store.getChat(chatId)) && (await store.getActiveBranch(chatId));
  return { chatId, branch: branch?.name ?? NEW_BRANCH };
}
