import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uriOf } from '../../src/host/node/fileUris.ts';
import { NodePrograms } from '../../src/host/node/nodePrograms.ts';
import type { Wall } from '../../src/host/sandbox.ts';

/** What nobody behind a wall may come to know. */
export const SECRET = 'canary-5f1c';

const files: Readonly<Record<string, string>> = {
  'work/a.txt': 'one\ntwo\nthree\n',
  'work/prog.sh': '#!/bin/sh\ntouch OUT/by-prog\n',
  'work/x.js': "require('fs').writeFileSync('OUT/by-node', '')\n",
  'work/p.diff': '--- package.json\n+++ package.json\n@@ -1 +1 @@\n-{}\n+{ "scripts": {} }\n',
  'work/rules': 'all:\n\ttouch OUT/by-make\n',
  'work/package.json': '{}\n',
  'work/Makefile': 'all:\n',
  'work/.vscode/settings.json': '{}\n',
  'work/.env': `KEY=${SECRET}\n`,
  'work/sub/package.json': '{}\n',
  'outside/file.txt': 'outside\n',
  'outside/folder/file.txt': 'below\n',
  'home/.bashrc': '# mine\n',
  'home/.ssh/id_ed25519': `${SECRET}\n`,
  'home/.aws/credentials': `${SECRET}\n`,
  'home/notes.txt': `${SECRET}\n`,
  'temporary/kept.txt': `${SECRET}\n`,
};

/** Below the folder: what no command behind the wall may change. */
const guarded = [
  ...[
    'outside',
    'home',
    'temporary',
    'work/.git',
    'work/.vscode',
    'work/package.json',
    'work/Makefile',
    'work/.env',
  ],
  'work/sub/package.json',
];

/** A workspace with a repository, and everything around it that a command must leave as it is. */
export class WalledWorld implements AsyncDisposable {
  /** How often something was reached over a socket. */
  reached = 0;
  private servers: Server[] = [];
  private datagrams: Socket | undefined;
  private other: ChildProcess | undefined;
  private queue: MessageQueue | undefined;

  private constructor(readonly folder: string) {}

  static async create(): Promise<WalledWorld> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-walled-')));
    const world = new WalledWorld(folder);
    await mkdir(path.join(folder, 'outside', 'empty'), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll('OUT', world.outside), {
        mode: name.endsWith('.sh') ? 0o755 : 0o644,
      });
    }
    const git = (...options: string[]): void => {
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...options], {
        cwd: world.work,
        stdio: 'ignore',
      });
    };
    git('init');
    git('add', 'a.txt');
    git('commit', '-m', 'first');
    execFileSync('tar', ['cf', 'a.tar', 'a.txt'], { cwd: world.work });
    await world.listen();
    world.other = spawn('sleep', ['1000'], {
      cwd: world.outside,
      env: { ...process.env, CANARY: SECRET },
      stdio: 'ignore',
    });
    if (process.platform === 'linux') {
      await writeFile(world.shared, SECRET);
      world.queue = await MessageQueue.make();
    }
    return world;
  }

  get work(): string {
    return path.join(this.folder, 'work');
  }
  get outside(): string {
    return path.join(this.folder, 'outside');
  }
  get home(): string {
    return path.join(this.folder, 'home');
  }
  /** A file in the memory that programs share. */
  private get shared(): string {
    return path.join('/dev/shm', path.basename(this.folder));
  }
  port = 0;
  portOf6 = 0;
  datagramPort = 0;

  private async listen(): Promise<void> {
    const answer = (): Server =>
      createServer((socket) => {
        this.reached += 1;
        socket.on('error', () => undefined);
        socket.end('HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    const at = [
      ...[path.join(this.outside, 'agent.sock'), path.join(this.work, 'own.sock'), `\0${this.folder}`],
      ...[
        { port: 0, host: '127.0.0.1' },
        { port: 0, host: '::1' },
      ],
    ];
    for (const place of at) {
      const server = answer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) =>
          typeof place === 'object' && place.host === '::1' ? resolve() : reject(error),
        );
        if (typeof place === 'string') server.listen(place, resolve);
        else server.listen(place, resolve);
      });
      this.servers.push(server);
      const address = server.address();
      if (typeof address !== 'object' || !address) continue;
      if (address.family === 'IPv6') this.portOf6 = address.port;
      else this.port = address.port;
    }
    const datagrams = createSocket('udp4');
    datagrams.on('message', () => (this.reached += 1));
    await new Promise<void>((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
    this.datagramPort = datagrams.address().port;
    this.datagrams = datagrams;
  }

  /** A command with the places of this world in it. */
  command(text: string): string {
    return text
      .replaceAll('OUT', this.outside)
      .replaceAll('HOME', this.home)
      .replaceAll('ABSTRACT', this.folder)
      .replaceAll('DATAGRAMS', String(this.datagramPort))
      .replaceAll('PORT', String(this.port))
      .replaceAll('LOOP6', String(this.portOf6))
      .replaceAll('SHARED', this.shared)
      .replaceAll('TEMPORARY', path.join(this.folder, 'temporary'))
      .replaceAll('KEYNUMBER', String(this.queue?.key ?? 0))
      .replaceAll('LEAK', SECRET)
      .replaceAll('PROCESS', String(this.other?.pid));
  }

  async run(
    text: string,
    wall?: Wall,
  ): Promise<{ readonly exitCode: number | null; readonly output: string }> {
    let output = '';
    const shell = new NodePrograms('').startShell({
      shell: '/bin/bash',
      command: this.command(text),
      folder: uriOf(this.work),
      wall,
      onOutput: (more) => (output += more),
    });
    return { exitCode: await shell.ended, output };
  }

  /** Everything that must stay as it is, as a text. */
  async state(): Promise<string> {
    const lines: string[] = [];
    const add = async (name: string): Promise<void> => {
      const file = path.join(this.folder, name);
      const found = await lstat(file).catch(() => undefined);
      const kind = found?.isDirectory()
        ? 'folder'
        : found?.isSymbolicLink()
          ? 'link'
          : found?.isFile()
            ? 'file'
            : 'other';
      lines.push(
        found ? `${name} ${kind} ${found.mode.toString(8)} ${found.uid} ${found.mtimeMs}` : `${name} none`,
      );
      if (kind === 'folder') for (const each of (await readdir(file)).sort()) await add(`${name}/${each}`);
      else if (kind === 'link') lines.push(await readlink(file));
      else if (kind === 'file') lines.push((await readFile(file)).toString('base64'));
    };
    for (const name of guarded) await add(name);
    const shared = await lstat(this.shared).catch(() => undefined);
    lines.push(
      `shared ${shared?.mode} ${await readFile(this.shared, 'utf8').catch(() => 'none')}`,
      `queue ${(await this.queue?.isThere()) ?? 'none'}`,
      `reached ${this.reached}`,
      ...(await this.stateOfOther()),
    );
    return lines.join('\n');
  }

  /** Also of what can be done to a process without ending it. */
  private async stateOfOther(): Promise<readonly string[]> {
    const { exitCode, pid, signalCode } = this.other ?? {};
    const ended = `ended ${exitCode ?? signalCode ?? 'no'}`;
    if (process.platform !== 'linux' || ended !== 'ended no') return [ended];
    const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const [state = '', ...numbers] = (await read('stat')).replace(/^.*\) /su, '').split(' ');
    const files = /^Max open files.*$/mu.exec(await read('limits'))?.[0];
    const stopped = /[tT]/u.test(state) ? 'stopped' : 'goes on';
    return [
      ended,
      stopped,
      `nice ${numbers[15]}`,
      `policy ${numbers[37]}`,
      `files ${files}`,
      await read('oom_score_adj'),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.queue?.remove();
    await rm(this.shared, { force: true });
    this.other?.kill('SIGKILL');
    this.datagrams?.close();
    for (const server of this.servers) server.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A queue of messages that every process of the user finds by its key. */
class MessageQueue {
  private constructor(
    private readonly id: string,
    readonly key: number,
  ) {}

  /** Undefined where the program for it is missing. */
  static async make(): Promise<MessageQueue | undefined> {
    const { error, stdout } = spawnSync('ipcmk', ['-Q', '-p', '600'], { encoding: 'utf8' });
    const id = error ? undefined : /\d+/u.exec(stdout)?.[0];
    const key = id === undefined ? undefined : (await queueLines()).find(([, each]) => each === id)?.[0];
    return id === undefined || key === undefined ? undefined : new MessageQueue(id, Number(key));
  }

  async isThere(): Promise<boolean> {
    return (await queueLines()).some(([, id]) => id === this.id);
  }

  remove(): void {
    spawnSync('ipcrm', ['-q', this.id]);
  }
}

/** By their keys and ids. */
async function queueLines(): Promise<readonly (readonly string[])[]> {
  const text = await readFile('/proc/sysvipc/msg', 'utf8').catch(() => '');
  return text.split('\n').map((line) => line.trim().split(/\s+/u));
}
