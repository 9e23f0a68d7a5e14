import { Chat, type ThemeName } from './chat.ts';
import { useServedPage } from './useServedPage.ts';

export interface ChatOptions {
  readonly theme?: ThemeName;
  readonly viewport?: { width: number; height: number };
  /** Answers side by side instead of the conversation. */
  readonly alternatives?: boolean;
}

/** Opens the page of the chat anew for each test of the enclosing `describe`. */
export function useChat({ theme, viewport, alternatives = false }: ChatOptions = {}): () => Chat {
  return useServedPage(viewport ?? { width: 320, height: 700 }, (context, origin) =>
    Chat.open(context, `${origin}${alternatives ? '/tries' : '/'}`, theme),
  );
}
