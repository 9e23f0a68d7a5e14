import { chatOf, isRowLost } from '../commands/commandArguments.ts';
import { pickChat, type PickChatDeps } from './pickChat.ts';

/** The chat that a command is about: that of its row, or the one in use; if the row is lost, the user is asked. */
export async function chatMeant(
  deps: PickChatDeps,
  args: readonly unknown[],
  title: string,
): Promise<string | undefined> {
  const row = chatOf(args[0]);
  if (row) return row.chatId;
  return isRowLost(args) ? pickChat(deps, title) : deps.current.chatId();
}
