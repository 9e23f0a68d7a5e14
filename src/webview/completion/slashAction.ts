import {
  HELP,
  readSlashText,
  slashCommand,
  takesArgument,
  type SlashCommand,
} from '../../protocol/slashCommands.ts';

/** What a text that is a command does. */
export type SlashAction =
  | { readonly kind: 'command'; readonly run: { readonly command: SlashCommand; readonly argument?: string } }
  /** The list of the commands. */
  | { readonly kind: 'help' }
  /** The next question is one by the way. */
  | { readonly kind: 'sideQuestion' };

/**
 * What a text does when it is sent; undefined for one that is asked like any other: with an unknown word, a path, or a
 * command and something behind it that the command has no use for.
 */
export function readSlashCommand(
  text: string,
): SlashAction | { readonly kind: 'ask'; readonly question: string } | undefined {
  const slashed = readSlashText(text);
  if (!slashed) return undefined;
  const { name, rest } = slashed;
  if (name === HELP && rest === '') return { kind: 'help' };
  const command = slashCommand.safeParse(name).data;
  if (command === undefined || (rest !== '' && !takesArgument(command))) return undefined;
  if (command === 'btw') return rest === '' ? { kind: 'sideQuestion' } : { kind: 'ask', question: rest };
  return { kind: 'command', run: { command, ...(rest === '' ? {} : { argument: rest }) } };
}
