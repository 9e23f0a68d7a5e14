import { ToolError } from '../toolError.ts';
import { replaceOnce } from './replaceOnce.ts';
import type { Replacement } from './writeToolInput.ts';

/**
 * Makes several replacements, each in the result of the previous ones. All of them or none.
 * @throws ToolError for the first that fails, naming it
 */
export function replaceEach(name: string, text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((current, { oldText, newText }, index) => {
    try {
      return replaceOnce(name, current, oldText, newText.toWellFormed());
    } catch (error) {
      if (replacements.length === 1 || !(error instanceof ToolError)) throw error;
      throw new ToolError(
        `Edit ${index + 1} of ${replacements.length} cannot be made, so none was: ${error.message}`,
        error.code,
        { cause: error },
      );
    }
  }, text);
}
