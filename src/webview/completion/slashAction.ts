import {
  HELP,
  readSlashText,
  slashCommand,
  takesArgument,
  type SlashCommand,
} from '../../protocol/slashCommands.ts';

/** The action of a text that is a command. */
export type SlashAction =
  | { readonly kind: 'command'; readonly run: { readonly command: SlashCommand; readonly argument?: string } }
  /** The list of the commands. */
  | { readonly kind: 'help' }
  /** The next question is a side question. */
  | { readonly kind: 'sideQuestion' };

/**
 * The action of a text when it is sent; undefined for an ordinary question: with an unknown word, a path, or a
 * command with an argument that it does not take.
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
