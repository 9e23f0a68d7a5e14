import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import type { RunningShell, ShellStart } from '../programs.ts';
import { pathOf } from './fileUris.ts';

/** How long a shell may take to end on request before it is killed, in milliseconds. */
const GRACE_MS = 2_000;

/** How long to wait for the last output of an ended shell: background processes may hold the stream open. */
const DRAIN_MS = 200;

const isWindows = process.platform === 'win32';

/** A shell that runs one command, as a process of this machine. */
export class NodeShell implements RunningShell {
  readonly ended: Promise<number | null>;
  private readonly child: ChildProcessWithoutNullStreams;
  private isOver = false;

  constructor({ shell, command, folder, onOutput }: ShellStart) {
    this.child = spawn(shell, argumentsFor(shell, command), {
      cwd: pathOf(folder),
      // Nobody could exit a pager.
      env: { ...process.env, PAGER: 'cat', GIT_PAGER: 'cat' },
      // A separate process group, so that all of it can be ended.
      detached: !isWindows,
      windowsVerbatimArguments: isWindows && isCmd(shell),
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', onOutput);
    // Nobody reads the input any more.
    this.child.stdin.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.isOver = true;
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
  const name = path.basename(shell).toLowerCase();
  if (isCmd(shell)) return ['/d', '/s', '/c', `"${command}"`];
  return /^(?:pwsh|powershell)(?:\.exe)?$/.test(name) ? ['-NoProfile', '-Command', command] : ['-c', command];
}

function isCmd(shell: string): boolean {
  return path.basename(shell).toLowerCase() === 'cmd.exe';
}
