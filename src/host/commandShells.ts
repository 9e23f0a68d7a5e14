/** The name of a shell's program without `.exe`, such as `bash`. */
export function shellName(shell: string): string {
  const name = shell.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  return name.endsWith('.exe') ? name.slice(0, -'.exe'.length) : name;
}

/**
 * What a shell is given before the text of a command. It reads none of the user's startup files, whose aliases,
 * functions and options would make something else of a command than what was shown. The shells that have no option for it
 * read none when they are given a text, but for {@link unsetForCommands}. `--` keeps a text that begins with `-` from
 * being an option.
 */
export function optionsBeforeText(shell: string): readonly string[] {
  switch (shellName(shell)) {
    case 'bash':
      // With a socket as its input, or reached by SSH, it reads a startup file even where it is given a text.
      return ['--norc', '-c', '--'];
    case 'sh':
    case 'dash':
    case 'ash':
    case 'ksh':
    case 'mksh':
      return ['-c', '--'];
    case 'zsh':
      return ['-f', '-c', '--'];
    case 'fish':
      return ['--no-config', '-c'];
    case 'csh':
    case 'tcsh':
      return ['-f', '-c'];
    case 'pwsh':
    case 'powershell':
      return ['-NoProfile', '-Command'];
    default:
      return ['-c'];
  }
}

/**
 * What every command finds in its environment: nobody is there to leave a pager or an editor, or to answer git. The values
 * need no quotes in a shell. docs/features/agent.md lists them.
 */
export const commandEnvironment: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GH_PAGER: 'cat',
  AWS_PAGER: 'cat',
  BAT_PAGER: 'cat',
  PSQL_PAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_TERMINAL_PROMPT: '0',
};

/** They name files that bash and others read before a text. */
export const unsetForCommands = ['BASH_ENV', 'ENV'] as const;

/** A text that no shell can be given. */
export class CommandTextError extends Error {
  readonly code = 'nul-character';

  constructor() {
    super('The command has a NUL character in it, which no program can be given. Leave it out.');
    this.name = new.target.name;
  }
}

/** @throws CommandTextError */
export function checkCommandText(text: string): void {
  if (text.includes('\0')) throw new CommandTextError();
}
