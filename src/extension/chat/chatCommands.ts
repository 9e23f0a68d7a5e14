import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import type { ShownChat } from '../chats/shownChat.ts';
import { goToCommands, type GoToCommandsDeps } from './goToCommands.ts';
import { questionCommands, type QuestionCommandsDeps } from './questionCommands.ts';

export interface ChatCommandsDeps extends GoToCommandsDeps, QuestionCommandsDeps {}

type ChatCommand = NamesOf<typeof goToCommands | typeof questionCommands>;

/** Commands on what the chat page shows. */
export function chatCommands(deps: ChatCommandsDeps, chat: ShownChat): CommandHandlers<ChatCommand> {
  return together(goToCommands(deps, chat), questionCommands(deps, chat));
}
