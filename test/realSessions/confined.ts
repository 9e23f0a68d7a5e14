import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Driver } from './driver.ts';
import { PICTURE, projectFiles } from './flows.ts';
import type { ModelServer } from './modelServer.ts';
import { heronPng } from './picture.ts';
import { Terminal } from './terminal.ts';

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

export interface RunOptions {
  /** What it reads; then its input ends. */
  readonly input?: string;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

/** What is known of a program that runs here. */
export type Program = Pick<Driver, 'command' | 'env' | 'setUp' | 'keeps'>;

const LIMIT_MS = 120_000;

/** Refuses every connection: where there is no network namespace, programs find this as their proxy. */
const REFUSING_PROXY = 'http://127.0.0.1:9';

/**
 * A folder of its own for one run of a program: the user's folder, a project, and an environment that names nothing else.
 * Everything that was started in it ends with it, and so does the folder, also when this process ends first.
 */
export class Place {
  private readonly started = new Set<ChildProcess>();

  private constructor(
    readonly folder: string,
    private readonly driver: Program,
    /** Where `node_modules` of the program is. */
    private readonly installed: string,
    readonly server: ModelServer,
  ) {}

  static async make(driver: Program, installed: string, server: ModelServer): Promise<Place> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'real-session-')));
    const place = new Place(folder, driver, installed, server);
    process.once('exit', place.onExit);
    for (const each of [place.home, place.project, place.temporary]) await mkdir(each);
    for (const [name, text] of Object.entries(projectFiles)) {
      await writeFile(path.join(place.project, name), text);
    }
    await writeFile(path.join(place.project, PICTURE), heronPng());
    await driver.setUp?.(place);
    return place;
  }

  get home(): string {
    return path.join(this.folder, 'home');
  }

  get project(): string {
    return path.join(this.folder, 'project');
  }

  private get temporary(): string {
    return path.join(this.folder, 'tmp');
  }

  /** Writes a file below the user's folder: a setting of the program. */
  write(name: string, content: unknown): Promise<void> {
    return writeContent(path.join(this.home, name), content);
  }

  writeInProject(name: string, content: unknown): Promise<void> {
    return writeContent(path.join(this.project, name), content);
  }

  /** What the program keeps by now: names below the user's folder, with what is in them. */
  async kept(): Promise<Map<string, Buffer>> {
    const kept = new Map<string, Buffer>();
    for (const below of this.driver.keeps) {
      for (const name of await filesIn(path.join(this.home, below))) {
        kept.set(path.relative(this.home, name), await readFile(name));
      }
    }
    return kept;
  }

  /** The path of a program of the packages. */
  bin(name = this.driver.command): string {
    return path.join(this.installed, 'node_modules', '.bin', name);
  }

  /** Runs the program to its end, in the project's folder. @throws Error with what it said, when it takes too long */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.start(args, options);
    child.stdin.end(options.input ?? '');
    return finished(child, [this.driver.command, ...args].join(' '), options.limitMs ?? LIMIT_MS);
  }

  /** Starts the program with pipes, in the project's folder. */
  start(args: readonly string[], { env = {} }: Pick<RunOptions, 'env'> = {}): PipedChild {
    const child = spawn(this.bin(), args, {
      cwd: this.project,
      env: { ...this.env(), ...env },
      stdio: 'pipe',
      // A group of its own, so that what it starts ends with it.
      detached: true,
    });
    this.track(child);
    return child;
  }

  /** Starts the program in a pseudo-terminal, in the project's folder. */
  open(args: readonly string[], { env = {} }: Pick<RunOptions, 'env'> = {}): Terminal {
    const terminal = new Terminal([this.bin(), ...args], {
      cwd: this.project,
      env: { ...this.env(), ...env },
    });
    this.track(terminal.process);
    return terminal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.onExit);
    this.stop();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private readonly onExit = (): void => {
    this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  };

  private stop(): void {
    for (const child of this.started) kill(child);
  }

  private track(child: ChildProcess): void {
    this.started.add(child);
  }

  private env(): Record<string, string> {
    const proxies = isAlone()
      ? {}
      : {
          HTTP_PROXY: REFUSING_PROXY,
          HTTPS_PROXY: REFUSING_PROXY,
          NO_PROXY: '127.0.0.1,localhost',
        };
    return {
      HOME: this.home,
      TMPDIR: this.temporary,
      PATH: [path.dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(path.delimiter),
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      SHELL: '/bin/bash',
      USER: 'ann',
      DO_NOT_TRACK: '1',
      NO_UPDATE_NOTIFIER: '1',
      ...proxies,
      ...this.driver.env(this),
    };
  }
}

async function writeContent(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

export type PipedChild = ReturnType<typeof spawn> & {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
};

/** Set by `scripts/realSessions.mjs` in a network namespace of which only the loopback is up. */
const ALONE = 'OFFSHOOT_REAL_SESSIONS_ALONE';

function isAlone(): boolean {
  return process.env[ALONE] === '1';
}

async function finished(child: PipedChild, what: string, limitMs: number): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const late = AbortSignal.timeout(limitMs);
  const end = (): void => kill(child);
  late.addEventListener('abort', end);
  await once(child, 'close');
  late.removeEventListener('abort', end);
  if (late.aborted) throw new Error(`${what} took more than ${limitMs} ms.\n${stdout}\n${stderr}`);
  return { stdout, stderr, status: child.exitCode };
}

/** Of a folder and those in it, sorted; of a file that one; of nothing none. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found) return [];
  if (found.isFile()) return [folder];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Ends it and what it started. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
