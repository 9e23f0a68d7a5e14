import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  checkCommandText,
  commandEnvironment,
  optionsBeforeText,
  shellName,
  unsetForCommands,
} from '../commandShells.ts';
import type {
  ProgramEnd,
  Programs,
  ProgramStart,
  RunningShell,
  ShellStart,
  TerminalShell,
  TerminalShellStart,
} from '../programs.ts';
import { pathOf } from './fileUris.ts';
import { FileTerminalShell } from './fileTerminalShell.ts';
import { existsSync } from 'node:fs';

/** How much of a program's error output is kept, in UTF-16 units. */
const MAX_PROBLEM = 2_000;

export class NodePrograms implements Programs {
  readonly separator = path.sep;

  /** @param appRoot the folder of the editor's own files, where its ripgrep is */
  constructor(private readonly appRoot: string) {}

  ripgrep(): string | undefined {
    return ripgrepPath(this.appRoot);
  }

  async run(
    { program, options, folder, signal }: ProgramStart,
    onLine: (line: string) => boolean,
  ): Promise<ProgramEnd> {
    signal.throwIfAborted();
    const child = spawn(program, options, {
      cwd: pathOf(folder),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    let problem = '';
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (problem = (problem + text).slice(0, MAX_PROBLEM)));
    for await (const line of createInterface({ input: child.stdout })) {
      if (onLine(line)) continue;
      child.kill();
      break;
    }
    return { status: await ended, problem: problem.trim() };
  }

  startShell(start: ShellStart): RunningShell {
    checkCommandText(start.command);
    return new NodeShell(start);
  }

  openTerminalShell(start: TerminalShellStart): Promise<TerminalShell | undefined> {
    return isWindows ? Promise.resolve(undefined) : FileTerminalShell.open(start);
  }

  async withTextFile<T>(text: string, work: (path: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(path.join(tmpdir(), 'offshoot-'));
    try {
      const file = path.join(folder, 'text');
      await writeFile(file, text);
      return await work(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The editor's own ripgrep, which has been in different packages over time; undefined in one without it. */
function ripgrepPath(appRoot: string): string | undefined {
  const { platform, arch } = process;
  const name = platform === 'win32' ? 'rg.exe' : 'rg';
  const packages = ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) => [
    path.join(appRoot, folder, '@vscode', 'ripgrep-universal', 'bin', `${platform}-${arch}`, name),
    path.join(appRoot, folder, '@vscode', 'ripgrep', 'bin', name),
    path.join(appRoot, folder, 'vscode-ripgrep', 'bin', name),
  ]);
  return packages.find((file) => existsSync(file));
}

/** What of the environment says where things are, and holds no secret. */
const plainNames =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERNAME|USERPROFILE|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|XDG_\w+_(?:HOME|DIRS?)|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(?:\(X86\))?)$/iu;

function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => plainNames.test(name)));
}

/** How long a shell may take to end on request before it is killed, in milliseconds. */
const GRACE_MS = 2_000;

/** How long to wait for the last output of an ended shell: background processes may hold the stream open. */
const DRAIN_MS = 200;

const isWindows = process.platform === 'win32';

class NodeShell implements RunningShell {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcessWithoutNullStreams;
  private isOver = false;

  constructor({
    shell,
    command,
    folder,
    wall,
    onOutput,
    onErrors = onOutput,
    input,
    environment,
    isApart = false,
  }: ShellStart) {
    const [program, ...options] = wall ? [...wall.start, shell] : [shell];
    this.child = spawn(program, [...options, ...argumentsFor(shell, command)], {
      cwd: pathOf(folder),
      env: {
        ...(isApart ? plainEnvironment() : process.env),
        ...commandEnvironment,
        ...Object.fromEntries(unsetForCommands.map((name) => [name, undefined])),
        ...environment,
      },
      // A separate process group, so that all of it can be ended.
      detached: !isWindows,
      windowsVerbatimArguments: isWindows && isCmd(shell),
    });
    this.child.stdout.setEncoding('utf8').on('data', onOutput);
    this.child.stderr.setEncoding('utf8').on('data', onErrors);
    // Nobody reads the input any more.
    this.child.stdin.on('error', () => undefined);
    if (input !== undefined) this.child.stdin.end(input);
    this.ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.isOver = true;
        if (isApart) this.signal('SIGKILL');
        resolve(code);
      };
      this.child.once('error', ({ message }) => {
        onOutput(`${message}\n`);
        end(null);
      });
      this.child.once('close', end);
      this.child.once('exit', (code) => setTimeout(() => end(code), DRAIN_MS).unref());
    });
  }

  write(text: string): void {
    if (!this.isOver) this.child.stdin.write(text);
  }

  stop(): void {
    if (this.isOver) return;
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), GRACE_MS);
    void this.ended.then(() => {
      clearTimeout(timer);
      // Processes started by the shell may have ignored its end.
      this.signal('SIGKILL');
    });
  }

  private signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (isWindows) {
      spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () =>
        this.child.kill(),
      );
      return;
    }
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone.
    }
  }
}

function argumentsFor(shell: string, command: string): string[] {
  if (isCmd(shell)) return ['/d', '/s', '/c', `"${command}"`];
  return [...optionsBeforeText(shell), command];
}

function isCmd(shell: string): boolean {
  return shellName(shell) === 'cmd';
}
