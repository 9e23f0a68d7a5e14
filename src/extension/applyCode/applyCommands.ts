import type { CommandHandlers } from '../commands/commandHandlers.ts';
import type { SuggestedChanges } from './suggestedChanges.ts';

export interface ApplyCommandsDeps {
  readonly suggestions: SuggestedChanges;
}

/** What can be done with a change that code of an answer would make. */
export function applyCommands({
  suggestions,
}: ApplyCommandsDeps): CommandHandlers<'applyCode' | 'discardCode'> {
  return {
    applyCode: () => suggestions.apply(),
    discardCode: () => suggestions.discard(),
  };
}
