import { z } from 'zod';

/** The only commands that a page may run by a word after a slash. */
export const slashCommand = z.enum([
  'btw',
  'checkpoint',
  'compact',
  'context',
  'export',
  'mode',
  'model',
  'new',
  'prompt',
  'race',
  'remember',
  'rewind',
  'search',
  'tools',
  'undo',
]);
export type SlashCommand = z.infer<typeof slashCommand>;

/** The word for the list itself, which the page implements. */
export const HELP = 'help';

/** Commands that take an argument; with others, the text is an ordinary question. */
const WITH_ARGUMENT: ReadonlySet<string> = new Set<SlashCommand>(['btw', 'checkpoint', 'race', 'remember']);

export function takesArgument(command: SlashCommand): boolean {
  return WITH_ARGUMENT.has(command);
}

/** Names that prompt files cannot have. */
export const reservedNames: ReadonlySet<string> = new Set<string>([...slashCommand.options, HELP]);

export interface SlashText {
  readonly name: string;
  readonly rest: string;
}

/** Undefined for a text that does not begin with a slash and a word; a path is not one. */
export function readSlashText(text: string): SlashText | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_.-]{1,100})(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

export const promptView = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  hint: z.string().optional(),
  path: z.string(),
  takesInput: z.boolean(),
  /** Why it cannot be run. */
  problem: z.string().optional(),
});
export type PromptView = z.infer<typeof promptView>;
