import { together, type CommandHandlers, type NamesOf } from '../commands/commandHandlers.ts';
import { keyCommands, type KeyCommandsDeps } from './keyCommands.ts';
import { selectModelCommands, type SelectModelCommandsDeps } from './selectModelCommands.ts';

export interface ModelsCommandsDeps extends KeyCommandsDeps, SelectModelCommandsDeps {}

type ModelsCommand = NamesOf<typeof keyCommands | typeof selectModelCommands>;

/** Commands on models and the keys of their servers. */
export function modelsCommands(deps: ModelsCommandsDeps): CommandHandlers<ModelsCommand> {
  return together(keyCommands(deps), selectModelCommands(deps));
}
