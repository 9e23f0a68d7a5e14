import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withHiddenSpelledOut } from '../../base/hiddenCharacters.ts';
import {
  checkCommandText,
  commandEnvironment,
  optionsBeforeText,
  unsetForCommands,
} from '../commandShells.ts';
import type {
  HandedCommand,
  HandedState,
  OutputMarks,
  ShellStart,
  TerminalShell,
  TerminalShellStart,
} from '../programs.ts';
import { shellWord } from '../walls/startScript.ts';
import { pathOf } from './fileUris.ts';
import { isAlive } from './liveProcesses.ts';
import { OwnedFolders } from './ownedFolders.ts';

/** Any POSIX shell does: it reads {@link script}, and nothing of a command. */
const READER = '/bin/sh';

/** The file with the id of the terminal's process. */
const READER_ID = 'reader';

const settings = Object.entries(commandEnvironment).map(([name, value]) => `${name}=${value}`);

/**
 * What the terminal runs. It edits no lines and has no history, aliases or completion: a line names a folder of files, in
 * which a command's text, its working folder, what is shown of it and what it is started behind, if anything, are. The name
 * of that folder says how far the command has come, so that each runs once and its end needs no room on the disk: `id`, `id.run-<pid>`, `id.end-<exit code>`.
 *
 * The first line that names it has it shown and marked as begun, the second has it run: VS Code tells what is written only
 * to those that read by then, and does not wait for them.
 *
 * The marks around its output are those of VS Code's shell integration, and within them properties that VS Code passes
 * over, which tell what is its output and that all of it has come:
 * https://code.visualstudio.com/docs/terminal/shell-integration#_vs-code-custom-sequences-osc-633-st
 *
 * Ctrl+C goes to the command alone, and of errors only the command's own are seen. A terminal that closes ends both: a
 * trap for that would wait for the command. Whatever the command did to the terminal is undone after it: lines, echo, the
 * alternate screen, the mouse.
 */
export const script = `offshoot_folder=$1
offshoot_shell=$2
offshoot_hint=$3
offshoot_line=:$4
shift 4
unset ${unsetForCommands.join(' ')}
export ${settings.join(' ')}
exec 3>&2 2>/dev/null
echo $$ > "$offshoot_folder/${READER_ID}"
trap 'rm -rf -- "$offshoot_folder"' EXIT
trap : INT QUIT
offshoot_shown=
stty sane -echo -isig
while :; do
  offshoot_id=\${offshoot_line##*:}
  case $offshoot_id in *[!0-9a-f]*) offshoot_id= ;; esac
  offshoot_new=$offshoot_folder/$offshoot_id
  offshoot_at=$offshoot_new.run-$$
  if [ -z "$offshoot_id" ] || [ ! -d "$offshoot_new" ]; then
    [ -z "$offshoot_line" ] || printf '\\033[2m%s\\033[0m\\n' "$offshoot_hint"
  elif [ "$offshoot_id" != "$offshoot_shown" ]; then
    offshoot_shown=$offshoot_id
    printf '\\033]633;A\\007\\n\\033[1m$ %s\\033[0m\\n\\033]633;B\\007\\033]633;C\\007' "$(cat "$offshoot_new/shown")"
  elif mv -- "$offshoot_new" "$offshoot_at"; then
    offshoot_text=$(cat "$offshoot_at/text"; printf .)
    offshoot_where=$(cat "$offshoot_at/where"; printf .)
    rm -f "$offshoot_at/text" "$offshoot_at/where" "$offshoot_at/shown"
    stty sane
    printf '\\033]633;P;OffshootBegin=%s\\007\\033]633;P;OffshootSize=%s\\007' "$offshoot_id" "$(stty size)"
    (cd -- "\${offshoot_where%.}" || exit
      if [ -f "$offshoot_at/wall" ]; then exec ${READER} "$offshoot_at/wall" "$offshoot_shell" "$@" "\${offshoot_text%.}"; fi
      exec "$offshoot_shell" "$@" "\${offshoot_text%.}") 2>&3 3>&-
    offshoot_code=$?
    mv -- "$offshoot_at" "$offshoot_folder/$offshoot_id.end-$offshoot_code"
    printf '\\033]633;P;OffshootEnd=%s\\007\\033]633;D;%s\\007' "$offshoot_id" "$offshoot_code"
    printf '\\033[?47l\\033[?1l\\033[?25h\\033[?1000l\\033[?1002l\\033[?1003l\\033[?2004l\\033[0m'
  fi
  stty sane -echo -isig
  IFS= read -r offshoot_line || exit 0
done
`;

/** What is left of terminals whose windows were killed is removed. */
export const terminalFolders = new OwnedFolders('offshoot-terminal-');

/** Hands commands to {@link script} by files that only their owner reads. */
export class FileTerminalShell implements TerminalShell {
  private constructor(
    private readonly folder: string,
    private readonly start: TerminalShellStart,
  ) {}

  static async open(start: TerminalShellStart): Promise<FileTerminalShell> {
    const folder = await terminalFolders.make(tmpdir());
    await writeFile(path.join(folder, 'script'), script, { mode: 0o600 });
    return new FileTerminalShell(folder, start);
  }

  async hand({
    command,
    folder,
    wall,
  }: Pick<ShellStart, 'command' | 'folder' | 'wall'>): Promise<HandedCommand> {
    checkCommandText(command);
    const id = randomBytes(4).toString('hex');
    const at = path.join(this.folder, `${id}.new`);
    await mkdir(at, { mode: 0o700 });
    const write = (name: string, text: string): Promise<void> =>
      writeFile(path.join(at, name), text, { mode: 0o600 });
    await write('text', command);
    await write('where', pathOf(folder));
    await write('shown', withHiddenSpelledOut(command));
    if (wall) await write('wall', `exec ${wall.start.map(shellWord).join(' ')} "$@"\n`);
    // A line that names it may come at any time from here on.
    await rename(at, path.join(this.folder, id));
    return new FileCommand(this.folder, id);
  }

  launch(first: HandedCommand): { readonly program: string; readonly options: readonly string[] } {
    const { shell, hint } = this.start;
    const id = first.line.slice(1);
    return {
      program: READER,
      options: [path.join(this.folder, 'script'), this.folder, shell, hint, id, ...optionsBeforeText(shell)],
    };
  }

  async close(): Promise<void> {
    this.hangUp();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {
      // The program in the terminal may be removing the same files; what both leave goes with the next window.
    });
  }

  /**
   * Ends the terminal's process with what it runs, as the system does for a terminal that closes. VS Code lets them go on
   * where its window is reloaded before it was told to close the terminal. At once, since such a window waits for nothing.
   * What was started with `nohup` takes no notice of the first signal, and passes that on to what it starts.
   */
  private hangUp(): void {
    try {
      const id = Number.parseInt(readFileSync(path.join(this.folder, READER_ID), 'utf8'), 10);
      // 0 and 1 would mean other processes; an empty file is one that is just being written.
      if (id > 1) for (const signal of ['SIGHUP', 'SIGTERM'] as const) process.kill(-id, signal);
    } catch (error) {
      // It has ended, or leads no group of processes, as outside of a terminal.
      if (!isNotFound(error) && !isGone(error)) throw error;
    }
  }
}

class FileCommand implements HandedCommand {
  readonly line: string;
  readonly marks: OutputMarks;

  constructor(
    private readonly folder: string,
    private readonly id: string,
  ) {
    this.line = `:${id}`;
    const mark = (name: string): string => `\u001b]633;P;${name}=${id}\u0007`;
    this.marks = { begin: mark('OffshootBegin'), end: mark('OffshootEnd') };
  }

  async state(): Promise<HandedState> {
    const state = await this.readState();
    if (state.kind !== 'running' || isAlive(state.by)) return state;
    // It may have ended in between.
    const last = await this.readState();
    return last.kind === 'running' ? { kind: 'gone' } : last;
  }

  takeBack(): Promise<boolean> {
    const back = path.join(this.folder, `${this.id}.back`);
    return rename(path.join(this.folder, this.id), back).then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  }

  async forget(): Promise<void> {
    const own = (await this.names()).filter((name) => name.startsWith(this.id));
    for (const name of own) await rm(path.join(this.folder, name), { recursive: true, force: true });
  }

  private async readState(): Promise<Exclude<HandedState, { readonly kind: 'running' }> | RunningState> {
    const names = await this.names();
    const after = (mark: string): number | undefined => {
      const start = `${this.id}.${mark}-`;
      const name = names.find((each) => each.startsWith(start));
      return name === undefined ? undefined : Number(name.slice(start.length));
    };
    const exitCode = after('end');
    if (exitCode !== undefined) return { kind: 'ended', exitCode };
    const by = after('run');
    if (by !== undefined) return { kind: 'running', by };
    return { kind: names.includes(this.id) ? 'waiting' : 'gone' };
  }

  private names(): Promise<string[]> {
    return readdir(this.folder).catch((error: unknown) => {
      if (isNotFound(error)) return [];
      throw error;
    });
  }
}

interface RunningState {
  readonly kind: 'running';
  /** The process that reads its text. */
  readonly by: number;
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
