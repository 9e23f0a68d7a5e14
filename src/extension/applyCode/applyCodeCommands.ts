import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { SuggestedChanges } from './suggestedChanges.ts';

export interface ApplyCodeCommandsDeps {
  readonly suggestions: SuggestedChanges;
}

/** What can be done with a change that code of an answer would make. */
export function applyCodeCommands({
  suggestions,
}: ApplyCodeCommandsDeps): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
