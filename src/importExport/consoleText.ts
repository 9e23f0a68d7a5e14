export interface ConsoleCommand {
  readonly command: string;
  readonly output?: string | undefined;
  readonly exitCode?: number | null | undefined;
}

/** A command that the user ran, with its output, as a block of Markdown. */
export function consoleText({ command, output = '', exitCode }: ConsoleCommand): string {
  const end = typeof exitCode === 'number' && exitCode !== 0 ? `[exit code ${exitCode}]` : '';
  const longest = (output.match(/`+/gu) ?? []).reduce((most, { length }) => Math.max(most, length), 2);
  const fence = '`'.repeat(longest + 1);
  const lines = [`${fence}console`, `$ ${command}`, output.trimEnd(), end, fence];
  return lines.filter((line) => line !== '').join('\n');
}
