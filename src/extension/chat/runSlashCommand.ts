import type { SlashCommand } from '../../protocol/slashCommands.ts';
import { CONTEXT_VIEW } from '../context/contextView.ts';
import { runCommand, type OwnCommand } from '../manifest/runCommand.ts';

/** The palette commands of the words after a slash. */
const COMMANDS: Readonly<Record<SlashCommand, OwnCommand>> = {
  btw: 'offshoot.btw',
  checkpoint: 'offshoot.createCheckpoint',
  compact: 'offshoot.compact',
  context: `${CONTEXT_VIEW}.focus`,
  export: 'offshoot.exportChat',
  mode: 'offshoot.selectMode',
  model: 'offshoot.selectModel',
  new: 'offshoot.newChat',
  prompt: 'offshoot.createPromptFile',
  rewind: 'offshoot.rewind',
  search: 'offshoot.search',
  tools: 'offshoot.selectTools',
  undo: 'offshoot.undo',
};

/** Runs the command of a word after a slash, with the text typed after it. */
export async function runSlashCommand({
  command,
  argument,
}: {
  readonly command: SlashCommand;
  readonly argument?: string | undefined;
}): Promise<void> {
  // A typed command runs at once: the palette asks what to keep.
  const typed = command === 'compact' ? (argument ?? '') : argument;
  await runCommand(COMMANDS[command], ...(typed === undefined ? [] : [{ typed }]));
}
