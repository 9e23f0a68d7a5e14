import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandTextError, commandEnvironment } from '../../../src/host/commandShells.ts';
import { FileTerminalShell, terminalFolders } from '../../../src/host/node/fileTerminalShell.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { isAlive } from '../../../src/host/node/liveProcesses.ts';
import type { HandedCommand, HandedState } from '../../../src/host/programs.ts';
import type { Wall } from '../../../src/host/sandbox.ts';
import { HOME, nastyCommands, nastyInPowerShell, type NastyCommand } from '../../fixtures/nastyCommands.ts';
import { findPowerShell, findShell, triedShells } from '../../fixtures/shells.ts';
import { until } from '../../fixtures/until.ts';

/** A program that keeps what it got as arguments. */
const argsProgram = `#!/bin/sh
for each; do printf '%s\\0' "$each"; done >> "$ARGS"
`;

/** What a user may have in the files that shells read when they start. */
const startup = "alias args='echo aliased'\nalias ls=false\nset -C\nargs() { echo function; }\n";
const startupFiles: Readonly<Record<string, string>> = {
  '.bashrc': startup,
  '.profile': startup,
  '.zshrc': `${startup}alias -g G=global\n`,
  '.zshenv': `${startup}alias -g G=global\n`,
  '.config/fish/config.fish': 'function args; echo function; end\nalias ls false\nabbr -a G global\n',
  environment: startup,
};

/** A shell of commands whose terminal is a pair of pipes. */
class PipedShell {
  output = '';
  private child: ChildProcessWithoutNullStreams | undefined;

  private constructor(
    readonly folder: string,
    private readonly shell: FileTerminalShell,
  ) {}

  static async open(shell: string): Promise<PipedShell> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-shell-')));
    for (const name of ['work', 'bin', 'home/.config/fish']) {
      await mkdir(path.join(folder, name), { recursive: true });
    }
    await writeFile(path.join(folder, 'bin', 'args'), argsProgram);
    await chmod(path.join(folder, 'bin', 'args'), 0o755);
    for (const name of ['one.txt', 'two.txt']) await writeFile(path.join(folder, 'work', name), '');
    for (const [name, text] of Object.entries(startupFiles)) {
      await writeFile(path.join(folder, 'home', name), text);
    }
    return new PipedShell(folder, await FileTerminalShell.open({ shell, hint: 'Not here.' }));
  }

  get home(): string {
    return path.join(this.folder, 'home');
  }

  /** Where commands run. */
  get work(): string {
    return path.join(this.folder, 'work');
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: `${path.join(this.folder, 'bin')}${path.delimiter}${process.env['PATH'] ?? ''}`,
      HOME: this.home,
      LC_ALL: 'C.UTF-8',
      ARGS: this.argsFile,
      BASH_ENV: path.join(this.home, 'environment'),
      ENV: path.join(this.home, 'environment'),
      PAGER: 'less',
      GIT_EDITOR: 'vi',
    };
  }

  hand(command: string, wall?: Pick<Wall, 'start'>): Promise<HandedCommand> {
    return this.shell.hand({ command, folder: uriOf(this.work), wall });
  }

  /** Begins the program of the terminal, which shows this command, as a terminal that is restarted does again. */
  launch(first: HandedCommand): ChildProcessWithoutNullStreams {
    const { program, options } = this.shell.launch(first);
    // As in a terminal, it leads its processes.
    const child = spawn(program, options, { cwd: this.folder, env: this.environment, detached: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.child = child;
    return child;
  }

  type(line: string): void {
    this.child?.stdin.write(`${line}\n`);
  }

  /** Has the program show a command and run it; it is begun with the first. */
  start(handed: HandedCommand): void {
    if (this.child) this.type(handed.line);
    else this.launch(handed);
    this.type(handed.line);
  }

  /** @returns how it ended */
  async run(command: string): Promise<HandedState> {
    const handed = await this.hand(command);
    this.start(handed);
    return this.endOf(handed);
  }

  endOf(handed: HandedCommand): Promise<HandedState> {
    return until(async () => {
      const state = await handed.state();
      return state.kind === 'ended' || state.kind === 'gone' ? state : undefined;
    }, 'the command to end');
  }

  /** What `args` got since this was asked last. */
  async args(): Promise<string[]> {
    if (!existsSync(this.argsFile)) return [];
    const text = await readFile(this.argsFile, 'utf8');
    await rm(this.argsFile);
    return text.split('\0').slice(0, -1);
  }

  meant({ args }: NastyCommand): string[] {
    return args.map((arg) => arg.replaceAll(HOME, this.home));
  }

  close(): Promise<void> {
    return this.shell.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  private get argsFile(): string {
    return path.join(this.folder, 'args');
  }
}

const shownStart = ({ text }: NastyCommand): string => JSON.stringify(text.slice(0, 200));
const exitCode = (code: number): HandedState => ({ kind: 'ended', exitCode: code });

describe('a command that is handed to the shell of a terminal', () => {
  for (const name of triedShells) {
    it(`is read by ${name} as it was shown, whatever is in it and in startup files`, async () => {
      await using shell = await PipedShell.open(findShell(name));
      const commands = nastyCommands(name);
      assert.ok(commands.length >= 60, String(commands.length));
      for (const command of commands) {
        await shell.run(command.text);
        assert.deepEqual(await shell.args(), shell.meant(command), shownStart(command));
      }
      assert.equal(existsSync(path.join(shell.work, 'owned')), false);
    });

    it(`ends with its exit code in ${name}, and nothing of it carries over`, async () => {
      await using shell = await PipedShell.open(findShell(name));
      assert.deepEqual(await shell.run('exit 3'), exitCode(3));
      assert.deepEqual(await shell.run("exec sh -c 'exit 4'"), exitCode(4));
      assert.deepEqual(await shell.run('test -f nothing.txt || exit 1'), exitCode(1));
      assert.deepEqual(await shell.run("sh -c 'kill $PPID'; exit 0"), exitCode(143));
      const exported = name === 'fish' ? 'set -gx CARRIED over' : 'export CARRIED=over';
      assert.deepEqual(await shell.run(`cd /; ${exported}`), exitCode(0));
      await shell.run('args "$PWD" "$CARRIED"');
      assert.deepEqual(await shell.args(), [shell.work, '']);
    });
  }

  if (triedShells.includes('bash')) {
    it('is what bash itself makes of the text', async () => {
      await using shell = await PipedShell.open(findShell('bash'));
      // Its input is a socket here, for which it would take a startup file.
      const options = ['--norc', '-c'];
      const { BASH_ENV: _none, ...env } = shell.environment;
      for (const command of nastyCommands('bash')) {
        await promisify(execFile)('bash', [...options, command.text], { env, cwd: shell.work });
        assert.deepEqual(await shell.args(), shell.meant(command), shownStart(command));
      }
    });
  }

  const powerShell = findPowerShell();
  if (powerShell !== undefined && triedShells.length > 0) {
    it('is read by PowerShell as it was shown', async () => {
      await using shell = await PipedShell.open(powerShell);
      for (const command of nastyInPowerShell) {
        await shell.run(command.text);
        assert.deepEqual(await shell.args(), shell.meant(command), shownStart(command));
      }
    });
  }
});

if (triedShells.length > 0) {
  describe('the program of a terminal that runs what it is handed', () => {
    it('writes the marks of VS Code around what a command writes, and shows the command before', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      const handed = await shell.hand("printf 1.2.3 # \u202e\nprintf '' >&2");
      shell.start(handed);
      await until(() => shell.output.includes('633;D'), 'the mark of the end');
      const shown = "\\$ printf 1\\.2\\.3 # ‹U\\+202E›\nprintf '' >&2";
      const before = `633;A\u0007\n\u001b\\[1m${shown}\u001b\\[0m\n\u001b\\]633;B\u0007\u001b\\]633;C\u0007`;
      const { begin, end } = handed.marks;
      const between = `${begin}\u001b\\]633;P;OffshootSize=[^\u0007]*\u00071\\.2\\.3${end}\u001b\\]633;D;0\u0007`;
      assert.match(shell.output, new RegExp(before + between));
    });

    it('shows a command and marks it as begun, and runs it only when its line comes once more', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      for (const name of ['first', 'second']) {
        const handed = await shell.hand(`args ${name}`);
        if (name === 'first') shell.launch(handed);
        else shell.type(handed.line);
        await until(() => shell.output.endsWith('\u001b]633;C\u0007'), 'the mark of its beginning');
        shell.output = '';
        shell.type('');
        shell.type('something else');
        await until(() => shell.output.includes('Not here.'), 'the answer to what is typed');
        assert.deepEqual(await handed.state(), { kind: 'waiting' });
        shell.type(handed.line);
        assert.deepEqual(await shell.endOf(handed), exitCode(0));
        assert.deepEqual(await shell.args(), [name]);
      }
    });

    it('starts a command behind what it is handed with, and the next one without', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      const wall = { start: ['/usr/bin/env', "WALLED=it's"] as const };
      const walled = await shell.hand('echo "mark:$WALLED"; pwd; exit 3', wall);
      shell.start(walled);
      assert.deepEqual(await shell.endOf(walled), { kind: 'ended', exitCode: 3 });
      await until(() => shell.output.includes(`mark:it's\n${shell.work}\n`), 'its output');
      await shell.run('echo "mark:$WALLED."');
      await until(() => shell.output.includes('mark:.\n'), 'the output of the next');
    });

    it('takes a text that begins like an option for a command', async () => {
      await using shell = await PipedShell.open(findShell('bash'));
      assert.deepEqual(await shell.run('--version'), exitCode(127));
      assert.match(shell.output, /--version: command not found/);
    });

    it('keeps pagers and editors from opening, and git from asking', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      const names = Object.keys(commandEnvironment);
      await shell.run(`args ${names.map((name) => `"$${name}"`).join(' ')} "$BASH_ENV" "$ENV"`);
      assert.deepEqual(await shell.args(), [...Object.values(commandEnvironment), '', '']);
      const documented = await readFile('docs/features/agent.md', 'utf8');
      for (const name of names) assert.ok(documented.includes(`\`${name}\``), `${name} is documented`);
    });

    it('keeps its files to its owner, removes a text when it is begun, and everything when it is closed', async () => {
      const shell = await PipedShell.open('/bin/sh');
      const handed = await shell.hand('read x; exit 5');
      const [own] = (await readdir(tmpdir())).filter((name) =>
        name.startsWith(`${terminalFolders.prefix}${process.pid}-`),
      );
      const folder = path.join(tmpdir(), own ?? assert.fail('its folder is not there'));
      const id = handed.line.slice(1);
      assert.equal((await stat(folder)).mode & 0o077, 0);
      assert.equal((await stat(path.join(folder, id, 'text'))).mode & 0o077, 0);
      assert.deepEqual(await handed.state(), { kind: 'waiting' });
      shell.start(handed);
      await until(async () => (await handed.state()).kind === 'running', 'the command to begin');
      await until(() => shell.output.includes(handed.marks.begin), 'the mark of its output');
      const left = await readdir(folder, { recursive: true });
      assert.deepEqual(
        left.filter((name) => name.includes('text')),
        [],
      );
      shell.type('');
      assert.deepEqual(await shell.endOf(handed), exitCode(5));
      await handed.forget();
      assert.deepEqual((await readdir(folder)).sort(), ['reader', 'script']);
      await shell[Symbol.asyncDispose]();
      assert.equal(existsSync(folder), false);
    });

    it('runs nothing twice: not what was taken back, what ran, nor the first command when it is restarted', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      const first = await shell.hand('args first');
      const before = shell.launch(first);
      shell.type(first.line);
      assert.deepEqual(await shell.endOf(first), exitCode(0));
      assert.equal(await first.takeBack(), false);
      const back = await shell.hand('args back');
      assert.equal(await back.takeBack(), true);
      assert.equal(await back.takeBack(), false);
      for (const line of [back.line, first.line, ':', 'ls', ':..', ':script']) shell.type(line);
      await shell.run('args last');
      assert.deepEqual(await shell.args(), ['first', 'last']);
      assert.equal(shell.output.split('Not here.').length - 1, 6, 'a hint for each line');
      before.kill('SIGKILL');
      shell.launch(first);
      await shell.run('args again');
      assert.deepEqual(await shell.args(), ['again']);
    });

    it('takes its line at the end of what a user has typed', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      await shell.run('true');
      const handed = await shell.hand('args x');
      shell.type(`echo abc${handed.line}`);
      shell.type(`x${handed.line}`);
      assert.deepEqual(await shell.endOf(handed), exitCode(0));
      assert.deepEqual(await shell.args(), ['x']);
    });

    it('leaves a command without an end where it is killed', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      assert.deepEqual(await shell.run('kill -9 $PPID'), { kind: 'gone' });
    });

    it('ends when it is closed, with the command that runs', async () => {
      const shell = await PipedShell.open('/bin/sh');
      const handed = await shell.hand('echo $$ > id; exec sleep 1000');
      const reader = shell.launch(handed);
      const ended = once(reader, 'exit');
      shell.type(handed.line);
      const id = await until(
        async () => Number(await readFile(path.join(shell.work, 'id'), 'utf8').catch(() => '')) || undefined,
        'the command to begin',
      );
      await shell.close();
      await ended;
      await until(() => !isAlive(id), 'the command to be gone');
      await shell[Symbol.asyncDispose]();
    });

    it('is told to run nothing with a NUL in it', async () => {
      await using shell = await PipedShell.open('/bin/sh');
      await assert.rejects(shell.hand('args a\0b'), CommandTextError);
    });

    it('is followed by nothing: folders of processes that were killed are removed, and no others', async () => {
      const place = await mkdtemp(path.join(tmpdir(), 'offshoot-abandoned-'));
      const ended = spawn(process.execPath, ['-e', '']);
      await new Promise((resolve) => ended.once('close', resolve));
      const gone = `${terminalFolders.prefix}${ended.pid ?? 0}-abc`;
      const others = [
        `${terminalFolders.prefix}${process.pid}-abc`,
        `${terminalFolders.prefix}other`,
        'offshoot-terminal-elsewhere-1-abc',
      ];
      for (const name of [gone, ...others]) await mkdir(path.join(place, name));
      await terminalFolders.removeAbandoned(place);
      assert.deepEqual((await readdir(place)).sort(), others.sort());
      await rm(place, { recursive: true });
    });
  });
}
