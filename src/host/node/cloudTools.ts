import { spawn } from 'node:child_process';
import { homedir } from 'node:os';

export interface ToolRun {
  /** Its exit code; null when it was killed. Undefined: there is no such program. */
  readonly status: number | null | undefined;
  readonly output: string;
  /** The end of its error output, on one line. */
  readonly problem: string;
}

/** A tool that waits for an answer, or for a network, is ended after this many milliseconds. */
const PATIENCE = 30_000;
/** In UTF-16 units. */
const MAX_OUTPUT = 100_000;
const MAX_PROBLEM = 300;

/** Runs one of the tools of a cloud in the user's own folder, where no project has put a program of that name. */
export function runTool(program: string, options: readonly string[]): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, options, {
      cwd: homedir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      signal: AbortSignal.timeout(PATIENCE),
    });
    let output = '';
    let problem = '';
    child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => (output = (output + text).slice(0, MAX_OUTPUT)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problem = (problem + text).slice(-2_000)));
    child.once('error', (error) => {
      if ('code' in error && error.code === 'ENOENT') {
        resolve({ status: undefined, output: '', problem: '' });
      } else if (error.name !== 'AbortError') reject(error);
    });
    child.once('close', (status) => resolve({ status, output, problem: lastWords(problem) }));
  });
}

function lastWords(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(-MAX_PROBLEM).toWellFormed();
}

/** A variable of the environment; an empty one counts as none. */
export function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
