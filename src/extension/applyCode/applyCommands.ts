import type { Services } from '../services.ts';
import type { CommandHandlers } from '../commands/commandHandlers.ts';

/** What can be done with a change that code of an answer would make. */
export function applyCommands({ suggestions }: Services): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
