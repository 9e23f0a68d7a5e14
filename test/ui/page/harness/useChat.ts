import { Chat } from './chat.ts';
import { useServedPage, type PageOptions } from './useServedPage.ts';

export interface ChatOptions extends Partial<PageOptions> {
  /** Answers side by side instead of the conversation. */
  readonly alternatives?: boolean;
}

/** Opens a new page of the chat for each test of the enclosing `describe`. */
export function useChat({ alternatives = false, ...options }: ChatOptions = {}): () => Chat {
  return useServedPage({ viewport: { width: 320, height: 700 }, ...options }, (page, origin) =>
    Chat.open(page, `${origin}${alternatives ? '/tries' : '/'}`),
  );
}
