import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { SuggestedChanges } from './suggestedChanges.ts';

export interface ApplyCodeCommandsDeps {
  readonly suggestions: SuggestedChanges;
}

/** What can be done with a change proposed by the code of an answer. */
export function applyCodeCommands({
  suggestions,
}: ApplyCodeCommandsDeps): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
