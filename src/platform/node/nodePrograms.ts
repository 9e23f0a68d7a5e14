import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { ProgramEnd, Programs, ProgramStart, RunningShell, ShellStart } from '../programs.ts';
import { pathOf } from './fileUris.ts';
import { NodeShell } from './nodeShell.ts';
import { ripgrepPath } from './ripgrepPath.ts';

/** How much of a program's error output is kept, in UTF-16 units. */
const MAX_PROBLEM = 2_000;

/** Programs of this machine, by Node. */
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
    return new NodeShell(start);
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
