import { z } from 'zod';

/** What a page may have run by a word after a slash: these, and nothing else. */
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
  'rewind',
  'search',
  'tools',
  'undo',
]);
export type SlashCommand = z.infer<typeof slashCommand>;

/** The word for the list itself, which the page has. */
export const HELP = 'help';

/** Those that do something with what is typed behind them; with others, it is a question like any. */
const WITH_ARGUMENT: ReadonlySet<string> = new Set<SlashCommand>(['btw', 'checkpoint']);

export function takesArgument(command: SlashCommand): boolean {
  return WITH_ARGUMENT.has(command);
}

/** Names that no prompt file can have. */
export const reservedNames: ReadonlySet<string> = new Set<string>([...slashCommand.options, HELP]);

/** What was typed: a word after a slash, and the rest. */
export interface SlashText {
  readonly name: string;
  readonly rest: string;
}

/** Undefined for a text that does not begin with a slash and a word; a path is none. */
export function readSlashText(text: string): SlashText | undefined {
  const [, name, rest = ''] = /^\/([\p{L}\p{N}_.-]{1,100})(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, rest: rest.trim() };
}

/** A prompt file, as the page lists it. */
export const promptView = z.strictObject({
  name: z.string(),
  description: z.string().optional(),
  /** What it is to be given. */
  hint: z.string().optional(),
  path: z.string(),
  /** It asks for something. */
  takesInput: z.boolean(),
  /** Why it can't be run. */
  problem: z.string().optional(),
});
export type PromptView = z.infer<typeof promptView>;
