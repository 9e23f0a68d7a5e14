import type { Disposable } from '../../base/disposable.ts';
import { afterChat } from '../ui/afterChat.ts';

/** Offers to open a file as a chat while the editor shows a file with conversations. */
export function registerImportExport(deps: Parameters<typeof afterChat>[0]): Disposable {
  return afterChat(deps, 'Files of conversations', async () => {
    const { watchOpenConversations } = await import('./openConversationContext.ts');
    return watchOpenConversations();
  });
}
