import type { ShownChat } from '../chats/shownChat.ts';
import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import { artifactCommands, type ArtifactCommandsDeps } from './artifactCommands.ts';
import { useInstructionsAgainCommand, type UseInstructionsAgainDeps } from './useInstructionsAgain.ts';

export interface ContextCommandsDeps extends ArtifactCommandsDeps, UseInstructionsAgainDeps {}

type ContextCommand = NamesOf<typeof artifactCommands | typeof useInstructionsAgainCommand>;

/** Commands on what is sent to a model. */
export function contextCommands(deps: ContextCommandsDeps, chat: ShownChat): CommandHandlers<ContextCommand> {
  return together(artifactCommands(deps, chat), useInstructionsAgainCommand(deps));
}
