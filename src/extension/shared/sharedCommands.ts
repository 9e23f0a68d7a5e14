import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import { connectCommands, type ConnectCommandsDeps } from './connectCommands.ts';
import { moveCommands, type MoveCommandsDeps } from './moveCommands.ts';
import { shareCommands, type ShareCommandsDeps } from './shareCommands.ts';

export interface SharedCommandsDeps extends ConnectCommandsDeps, MoveCommandsDeps, ShareCommandsDeps {}

type SharedCommand = NamesOf<typeof connectCommands | typeof moveCommands | typeof shareCommands>;

/** The commands of shared stores. */
export function sharedCommands(deps: SharedCommandsDeps): CommandHandlers<SharedCommand> {
  return together(connectCommands(deps), moveCommands(deps), shareCommands(deps));
}
