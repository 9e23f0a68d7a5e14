import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { SuggestedChanges } from './suggestedChanges.ts';

/** What can be done with a change proposed by the code of an answer. */
export function applyCodeCommands({
  suggestions,
}: {
  readonly suggestions: SuggestedChanges;
}): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
