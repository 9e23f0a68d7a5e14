import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import { chatMarkCommands, type ChatMarkCommandsDeps } from './chatMarkCommands.ts';
import { openChatCommands, type OpenChatCommandsDeps } from './openChatCommands.ts';
import type { ShownChat } from './shownChat.ts';

export interface ChatsCommandsDeps extends ChatMarkCommandsDeps, OpenChatCommandsDeps {}

type ChatsCommand = NamesOf<typeof chatMarkCommands | typeof openChatCommands>;

/** Commands on whole chats. */
export function chatsCommands(deps: ChatsCommandsDeps, chat: ShownChat): CommandHandlers<ChatsCommand> {
  return together(chatMarkCommands(deps, chat), openChatCommands(deps, chat));
}
