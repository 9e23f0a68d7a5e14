import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  WallError,
  type NoSandboxReason,
  type Sandbox,
  type SetAside,
  type Wall,
  type WallRequest,
} from '../../sandbox.ts';
import { bubblewrapOptions, relayOptions, walledEnvironment } from '../../walls/bubblewrapOptions.ts';
import { RELAY_PORT } from '../../walls/relay.ts';
import { seatbeltProfile } from '../../walls/seatbeltProfile.ts';
import { socketFilter } from '../../walls/socketFilter.ts';
import { shellWord, startScript } from '../../walls/startScript.ts';
import { isAtOrBelow, type Walls } from '../../walls/walls.ts';
import { isGitName } from '../../fileNames.ts';
import { pathOf } from '../fileUris.ts';
import { nodeCommand } from '../nodeCommand.ts';
import { OwnedFolders } from '../ownedFolders.ts';
import type { AddressRules } from '../checkedAddresses.ts';
import { findProtected, findWalls, PathKinds, type WalledMachine } from './findWalls.ts';
import { HeldNames } from './heldNames.ts';
import { HostProxy } from './hostProxy.ts';
import { setAside } from './madeFiles.ts';
import { RELAY_READY, relayProgram } from './relayProgram.ts';

const SHELL = '/bin/sh';
/** Whatever a package file above it says, it is no ES module. */
const RELAY = 'relay.cjs';

/** Not looked for on the user's path, where a command may have written one. */
const wallPrograms: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
};

interface Tried {
  readonly whyNone?: NoSandboxReason;
  readonly canReachHosts?: boolean;
}

interface BuiltWall {
  readonly start: Wall['start'];
  close(): Promise<void>;
}

export interface NodeSandboxOptions {
  /** The program that sets up walls; left out: the system's own. */
  readonly program?: string | undefined;
  readonly home?: string;
  readonly addresses?: Partial<AddressRules>;
  /** Whether this machine reaches hosts by a proxy alone; left out: as its environment says. */
  readonly needsProxy?: boolean;
}

/** What says that hosts are reached by a proxy. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** Go would ask git about the empty folder that keeps a repository from being made. */
const WITHOUT_GIT = 'export GOFLAGS="${GOFLAGS:+$GOFLAGS }-buildvcs=false"';

/** How long trying it out may take, in milliseconds. */
const TRY_MS = 10_000;

/** Folders of files for walls: what is left of windows that were killed is removed. */
const folders = new OwnedFolders('offshoot-sandbox-');

export class NodeSandbox implements Sandbox {
  private tried: Promise<Tried> | undefined;
  private folder: Promise<string> | undefined;
  private readonly temporaries = new Map<string, Promise<string>>();
  private readonly kinds = new PathKinds();
  private readonly held = new HeldNames();
  private readonly everHeld = new Set<string>();
  private count = 0;

  constructor(private readonly options: NodeSandboxOptions = {}) {}

  async whyNone(): Promise<NoSandboxReason | undefined> {
    return (await this.find()).whyNone;
  }

  async canReachHosts(): Promise<boolean> {
    return (await this.find()).canReachHosts === true;
  }

  holds(uri: string): boolean {
    return this.everHeld.has(pathOf(uri));
  }

  private find(): Promise<Tried> {
    return (this.tried ??= this.tryOut());
  }

  async wall({ chatId, shell, writable, readable, mayReach }: WallRequest): Promise<Wall> {
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
    const canReachHosts = await this.canReachHosts();
    const { walls, before } = await findWalls(machine, folders);
    const held = machine.system === 'linux' ? await this.held.hold(walls.writable) : [];
    for (const [index, real] of open.entries()) {
      const names = held.filter((each) => path.dirname(each) === real).map((each) => path.basename(each));
      for (const name of names) this.everHeld.add(path.join(folders.writable[index] ?? real, name));
    }
    // A folder that holds a name is no protected one that was there.
    const kept = walls.kept.filter((each) => !this.held.isHeld(each));
    const known = { ...before, kept };
    const proxy = canReachHosts ? new HostProxy({ ...this.options.addresses, mayReach }) : undefined;
    const built = await this.build(program, machine, { ...walls, kept, held }, proxy).catch(
      async (error: unknown) => {
        await this.held.release(held);
        throw error;
      },
    );
    const sweep = async (): Promise<SetAside> => {
      const now = await findProtected(machine, folders);
      const others = now.kept.filter((each) => this.held.isHeld(each));
      return setAside(walls.writable, known, now, others);
    };
    const end = async (): Promise<SetAside> => {
      await built.close();
      await this.held.release(held);
      return sweep();
    };
    let ended: Promise<SetAside> | undefined;
    return {
      start: built.start,
      refusedHosts: () => proxy?.refused() ?? [],
      sweep,
      close: () => (ended ??= end()),
    };
  }

  private async build(
    program: string,
    machine: WalledMachine,
    walls: Walls,
    proxy?: HostProxy,
  ): Promise<BuiltWall> {
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
        bubblewrapOptions(walls, { unreadable, hasRelay: proxy !== undefined })
          .map((each) => `${each}\0`)
          .join(''),
      );
      await write('filter', socketFilter(process.arch) ?? new Uint8Array());
      const settings = walls.held.some((each) => isGitName(path.basename(each))) ? `${WITHOUT_GIT}\n` : '';
      const inside = `${settings}exec ${shellWord(program)} --seccomp 9 --args 8 -- "$@" 8<${named('options')} 9<${named('filter')}`;
      if (proxy) {
        await proxy.listen(path.join(at, 'proxy'));
        await write(RELAY, relayProgram);
        await write('inside', `${relayScript(at)}\n${inside}\n`);
        const around = [program, ...relayOptions, '--', SHELL].map(shellWord).join(' ');
        await write('start', startScript(`exec ${around} ${named('inside')} "$@"`));
      } else await write('start', startScript(inside));
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
      close: async () => {
        await proxy?.close();
        await rm(at, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  }

  private async tryOut(): Promise<Tried> {
    const machine = this.machine();
    if (!machine) return { whyNone: 'system' };
    if (machine.system === 'linux' && socketFilter(process.arch) === undefined) return { whyNone: 'system' };
    const program = await this.program();
    if (program === undefined) return { whyNone: 'program' };
    // Not everywhere may what is in one sandbox set up another.
    const { needsProxy = proxyVariables.some((name) => (process.env[name] ?? '') !== '') } = this.options;
    for (const canReachHosts of machine.system === 'linux' && !needsProxy ? [true, false] : [false]) {
      if (await this.stands(program, machine, canReachHosts)) return { canReachHosts };
    }
    return { whyNone: 'refused' };
  }

  /** Walls that do not hold are none: it is tried whether what must not be written, read or reached is not. */
  private async stands(program: string, machine: WalledMachine, canReachHosts: boolean): Promise<boolean> {
    let wall: BuiltWall | undefined;
    try {
      const place = await mkdtemp(path.join(await this.place(), 'try-'));
      for (const name of ['inside', 'inside/.git', 'outside']) await mkdir(path.join(place, name));
      for (const name of ['inside/.env', 'inside/.git/config', 'outside/file']) {
        await writeFile(path.join(place, name), 'before');
      }
      const { walls } = await findWalls(machine, {
        writable: [path.join(place, 'inside')],
        readable: [],
        temporary: await this.temporaryOf('try'),
        shell: SHELL,
      });
      const proxy = canReachHosts ? new HostProxy({ mayReach: () => false }) : undefined;
      wall = await this.build(program, machine, walls, proxy);
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
      return isHeld;
    } catch {
      return false;
    } finally {
      await wall?.close();
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

/** Starts the relay, and waits until it can be connected to: it then closes its output. */
function relayScript(at: string): string {
  const { command, env } = nodeCommand;
  const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = [command, path.join(at, RELAY), path.join(at, 'proxy'), String(RELAY_PORT)];
  return `offshoot_relay=$(unset NODE_OPTIONS; ${[...settings, ...words.map(shellWord)].join(' ')} </dev/null 2>/dev/null &)
if [ "$offshoot_relay" != ${RELAY_READY} ]; then
  echo 'The network of the sandbox could not be set up.' >&2
  exit 126
fi
unset offshoot_relay`;
}
