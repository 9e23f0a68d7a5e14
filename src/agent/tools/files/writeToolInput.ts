import { z } from 'zod';
import { ToolError } from '../toolError.ts';

/** The longest text that is written in one call, in UTF-16 units. */
const MAX_CONTENT = 2_000_000;

/** How many changes of one file a call may make. */
const MAX_EDITS = 100;

const path = z.string().min(1).max(4_096);

/** Replaces one piece of text with another. */
const replacement = z.object({
  oldText: z.string().min(1).max(MAX_CONTENT),
  newText: z.string().max(MAX_CONTENT),
});
export type Replacement = Readonly<z.infer<typeof replacement>>;

/** The input of `create_file`. */
export const createFileInput = z.object({ path, content: z.string().max(MAX_CONTENT) });

/** The input of `edit_file`: one replacement, or several. */
export const editFileInput = z.object({
  path,
  ...replacement.partial().shape,
  edits: z.array(replacement).min(1).max(MAX_EDITS).optional(),
});

/** The input of `delete_file` and `create_folder`. */
export const pathInput = z.object({ path });

/** The input of `rename_file`. */
export const renameFileInput = z.object({ from: path, to: path });

/** The replacements of a call. @throws ToolError if both forms are used, or neither */
export function replacementsIn({
  oldText,
  newText,
  edits,
}: z.infer<typeof editFileInput>): readonly Replacement[] {
  const one = oldText === undefined || newText === undefined ? undefined : { oldText, newText };
  if ((oldText ?? newText) !== undefined && edits !== undefined) throw unclear();
  const asked = one ? [one] : edits;
  if (!asked) throw unclear();
  return asked;
}

function unclear(): ToolError {
  return new ToolError('Give either oldText and newText, or edits.', 'invalid-input');
}
