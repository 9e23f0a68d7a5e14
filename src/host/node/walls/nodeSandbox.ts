import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { WallError, type NoSandboxReason, type Sandbox, type Wall, type WallRequest } from '../../sandbox.ts';
import { bubblewrapOptions, walledEnvironment } from '../../walls/bubblewrapOptions.ts';
import { seatbeltProfile } from '../../walls/seatbeltProfile.ts';
import { socketFilter } from '../../walls/socketFilter.ts';
import { shellWord, startScript } from '../../walls/startScript.ts';
import { isAtOrBelow, type Walls } from '../../walls/walls.ts';
import { pathOf } from '../fileUris.ts';
import { OwnedFolders } from '../ownedFolders.ts';
import { findWalls, PathKinds, type WalledMachine } from './findWalls.ts';

const SHELL = '/bin/sh';

/** Not looked for on the user's path, where a command may have written one. */
const wallPrograms: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
};

export interface NodeSandboxOptions {
  /** The program that sets up walls; left out: the system's own. */
  readonly program?: string | undefined;
  readonly home?: string;
}

/** How long trying it out may take, in milliseconds. */
const TRY_MS = 10_000;

/** Folders of files for walls: what is left of windows that were killed is removed. */
const folders = new OwnedFolders('offshoot-sandbox-');

export class NodeSandbox implements Sandbox {
  private tried: Promise<NoSandboxReason | undefined> | undefined;
  private folder: Promise<string> | undefined;
  private readonly temporaries = new Map<string, Promise<string>>();
  private readonly kinds = new PathKinds();
  private count = 0;

  constructor(private readonly options: NodeSandboxOptions = {}) {}

  whyNone(): Promise<NoSandboxReason | undefined> {
    return (this.tried ??= this.tryOut());
  }

  async wall({ chatId, shell, writable, readable }: WallRequest): Promise<Wall> {
    const program = await this.program();
    const machine = this.machine();
    if (program === undefined || !machine) throw new Error('There is no sandbox here.');
    const place = await this.place();
    const open = await Promise.all(writable.map((each) => realpath(pathOf(each))));
    if (open.some((each) => isAtOrBelow(each, place))) throw new WallError('own-files');
    const folders = {
      writable: writable.map((each) => pathOf(each)),
      readable: readable.map((each) => pathOf(each)),
      temporary: await this.temporaryOf(chatId),
      shell,
    };
    const walls = await findWalls(machine, folders);
    return {
      ...(await this.build(program, machine, walls)),
      made: async () => {
        const now = await findWalls(machine, folders).catch((error: unknown) => {
          // What it made is too much to be looked through.
          if (error instanceof WallError) return undefined;
          throw error;
        });
        const { kept, writable: roots } = now ?? walls;
        return kept.flatMap((each) => {
          const root = roots.find((folder) => isAtOrBelow(folder, each));
          return root === undefined || walls.kept.includes(each) ? [] : [path.relative(root, each)];
        });
      },
    };
  }

  private async build(
    program: string,
    machine: WalledMachine,
    walls: Walls,
  ): Promise<Pick<Wall, 'start' | 'close'>> {
    this.count += 1;
    const at = path.join(await this.place(), String(this.count));
    await mkdir(at, { mode: 0o700 });
    const write = (name: string, content: string | Uint8Array): Promise<void> =>
      writeFile(path.join(at, name), content, { mode: 0o600 });
    const named = (name: string): string => shellWord(path.join(at, name));
    const script = path.join(at, 'start');
    if (machine.system === 'linux') {
      const unreadable = path.join(at, 'unreadable');
      await write('unreadable', '');
      await chmod(unreadable, 0);
      await write(
        'options',
        bubblewrapOptions(walls, unreadable)
          .map((each) => `${each}\0`)
          .join(''),
      );
      await write('filter', socketFilter(process.arch) ?? new Uint8Array());
      await write(
        'start',
        startScript(
          `exec ${shellWord(program)} --seccomp 9 --args 8 -- "$@" 8<${named('options')} 9<${named('filter')}`,
        ),
      );
    } else {
      await write('profile', seatbeltProfile(walls));
      const settings = Object.entries({ ...walledEnvironment, TMPDIR: walls.temporary }).map(
        ([name, value]) => `export ${name}=${shellWord(value)}`,
      );
      await write(
        'start',
        startScript([...settings, `exec ${shellWord(program)} -f ${named('profile')} "$@"`].join('\n')),
      );
    }
    return {
      start: [SHELL, script],
      close: () => rm(at, { recursive: true, force: true, maxRetries: 3 }),
    };
  }

  /** Walls that do not hold are none: it is tried whether what must not be written, read or reached is not. */
  private async tryOut(): Promise<NoSandboxReason | undefined> {
    const machine = this.machine();
    if (!machine) return 'system';
    if (machine.system === 'linux' && socketFilter(process.arch) === undefined) return 'system';
    const program = await this.program();
    if (program === undefined) return 'program';
    try {
      const place = await mkdtemp(path.join(await this.place(), 'try-'));
      for (const name of ['inside', 'inside/.git', 'outside']) await mkdir(path.join(place, name));
      for (const name of ['inside/.env', 'inside/.git/config', 'outside/file']) {
        await writeFile(path.join(place, name), 'before');
      }
      const walls = await findWalls(machine, {
        writable: [path.join(place, 'inside')],
        readable: [],
        temporary: await this.temporaryOf('try'),
        shell: SHELL,
      });
      const wall = await this.build(program, machine, walls);
      const [start, ...options] = wall.start;
      const script =
        'for each in .git/config ../outside/file; do (echo after > "$each") 2>/dev/null; done; ' +
        'for each in .env ../outside/file; do cat "$each" 2>/dev/null; done; echo after > new; exit 0';
      const { stdout } = await promisify(execFile)(start, [...options, SHELL, '-c', script], {
        cwd: path.join(place, 'inside'),
        timeout: TRY_MS,
        killSignal: 'SIGKILL',
      });
      const read = async (name: string): Promise<string> =>
        (await readFile(path.join(place, name), 'utf8')).trim();
      const isHeld =
        stdout === '' &&
        (await read('inside/.git/config')) === 'before' &&
        (await read('outside/file')) === 'before' &&
        (await read('inside/new')) === 'after';
      await rm(place, { recursive: true, force: true });
      await wall.close();
      return isHeld ? undefined : 'refused';
    } catch {
      return 'refused';
    }
  }

  private machine(): WalledMachine | undefined {
    const { platform, env } = process;
    if (platform !== 'linux' && platform !== 'darwin') return undefined;
    const home = this.options.home ?? homedir();
    const programFolders = (env['PATH'] ?? '').split(path.delimiter);
    return { system: platform, home, programFolders, kinds: this.kinds };
  }

  private async program(): Promise<string | undefined> {
    const { program } = this.options;
    for (const each of program === undefined ? (wallPrograms[process.platform] ?? []) : [program]) {
      const isThere = await access(each, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return each;
    }
    return undefined;
  }

  private place(): Promise<string> {
    return (this.folder ??= folders.make(tmpdir()).then((made) => realpath(made)));
  }

  private async temporaryOf(chatId: string): Promise<string> {
    let made = this.temporaries.get(chatId);
    if (!made) {
      made = this.place().then((place) => mkdtemp(path.join(place, 'tmp-')));
      this.temporaries.set(chatId, made);
    }
    return made;
  }
}
