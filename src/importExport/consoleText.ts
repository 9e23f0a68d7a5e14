import { codeFence } from '../base/codeFence.ts';
export interface ConsoleCommand {
  readonly command: string;
  readonly output?: string | undefined;
  readonly exitCode?: number | null | undefined;
}

/** A command that the user ran, with its output, as a block of Markdown. */
export function consoleText({ command, output = '', exitCode }: ConsoleCommand): string {
  const end = typeof exitCode === 'number' && exitCode !== 0 ? `[exit code ${exitCode}]` : '';
  const fence = codeFence(output);
  const lines = [`${fence}console`, `$ ${command}`, output.trimEnd(), end, fence];
  return lines.filter((line) => line !== '').join('\n');
}
