import { z } from 'zod';
import { isToolPart, toolNameOf, type UIMessage } from '../engine/uiMessage.ts';
import { patchesIn, patchHeading } from './patchedFiles.ts';

/** A text that a call of a tool put into a file. */
export interface EditedText {
  /** As the program names it: relative, or with its folders, with `/` or `\`. */
  readonly path: string;
  /** What it replaced; undefined: the text is all of the file. */
  readonly before: string | undefined;
  readonly after: string;
}

const path = z.string().min(1).max(4_096);

/** The file that a call is about, by the names that programs give it. */
const named = z
  .object({ file_path: path, filePath: path, path, absolutePath: path })
  .partial()
  .transform((input) => input.file_path ?? input.filePath ?? input.absolutePath ?? input.path);

/** Claude Code's Edit, and opencode's. */
const replacement = z.union([
  z
    .object({ old_string: z.string(), new_string: z.string() })
    .transform(({ old_string: before, new_string: after }) => ({ before, after })),
  z
    .object({ oldString: z.string(), newString: z.string() })
    .transform(({ oldString: before, newString: after }) => ({ before, after })),
]);

/** Claude Code's MultiEdit. */
const replacements = z.object({ edits: z.array(replacement) });

/** Claude Code's Write, Cline's write_to_file; other tools that have a content may do something else with it. */
const whole = z.object({ content: z.string() });
const wholeTools = /^(?:Write|write_to_file|write|create_file|write_file)$/u;

/** Cline's replace_in_file and Roo's apply_diff. */
const blocks = z.object({ diff: z.string() });
const block =
  /^(?:<{7}|-{7}) SEARCH>?\r?\n(?::[a-z_]+:[^\n]*\n)*(?:-{7}\r?\n)?(?<before>[^]*?)^={7}\r?\n(?<after>[^]*?)^(?:>{7}|\+{7}) REPLACE>?/gmu;

/** The texts that the calls of an imported answer put into files, in order; those of calls that failed are not among them. */
export function editedTexts({ parts }: Pick<UIMessage, 'parts'>): EditedText[] {
  return parts.flatMap((part) =>
    isToolPart(part) && part.state === 'output-available' ? editsOfCall(toolNameOf(part), part.input) : [],
  );
}

function editsOfCall(toolName: string, input: unknown): EditedText[] {
  const file = named.safeParse(input).data;
  if (file === undefined) return patchesIn(input).flatMap(patchedTexts);
  const one = replacement.safeParse(input).data;
  const several = one ? [one] : replacements.safeParse(input).data?.edits;
  if (several) return several.map((each) => ({ path: file, ...each }));
  const diff = blocks.safeParse(input).data?.diff;
  if (diff !== undefined)
    return Array.from(diff.matchAll(block), ({ groups: { before = '', after = '' } = {} }) => ({
      path: file,
      before,
      after,
    }));
  const all = wholeTools.test(toolName) ? whole.safeParse(input).data : undefined;
  return all
    ? [{ path: file, before: undefined, after: all.content }]
    : patchesIn(input).flatMap(patchedTexts);
}

/** Each part of a patch, with the lines around that it names. */
function patchedTexts(patch: string): EditedText[] {
  const texts: EditedText[] = [];
  let [file, isNew]: [string | undefined, boolean] = [undefined, false];
  let [before, after]: [string[], string[]] = [[], []];
  const end = (): void => {
    if (file !== undefined && after.length > 0)
      texts.push({ path: file, before: isNew ? undefined : before.join('\n'), after: after.join('\n') });
    [before, after] = [[], []];
  };
  for (const line of patch.split(/\r?\n/u)) {
    const [, does, name = ''] = patchHeading.exec(line) ?? [];
    if (does !== undefined || line.startsWith('***') || line.startsWith('@@')) {
      // What is moved is read under its new name.
      if (does !== 'Move to') end();
      if (does !== undefined) [file, isNew] = [name.trim(), does === 'Add File'];
      if (line.startsWith('*** End Patch')) file = undefined;
    } else if (line.startsWith('+')) after.push(line.slice(1));
    else if (line.startsWith('-')) before.push(line.slice(1));
    else {
      before.push(line.slice(1));
      after.push(line.slice(1));
    }
  }
  end();
  return texts;
}
