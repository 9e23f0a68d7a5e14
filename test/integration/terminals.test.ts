import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { CommandOutput } from '../../src/agent/tools/commands/commandOutput.ts';
import type { StartedCommand } from '../../src/agent/tools/commands/commandRun.ts';
import { EditorTerminals, type EditorTerminalsOptions } from '../../src/extension/tools/commandTerminals.ts';
import { NodePrograms } from '../../src/host/node/nodePrograms.ts';
import { uriOf } from '../../src/host/node/fileUris.ts';
import { NodeSandbox } from '../../src/host/node/walls/nodeSandbox.ts';
import { RELAY_PORT } from '../../src/host/walls/relay.ts';
import type { Wall } from '../../src/host/sandbox.ts';
import { HOME, nastyCommands } from '../fixtures/nastyCommands.ts';
import { findBubblewrap, findShell, triedShells, type TriedShell } from '../fixtures/shells.ts';
import { until } from '../fixtures/until.ts';

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Where the repository is: the extension runs from its sources. */
function root(): string {
  return vscode.extensions.getExtension('offshoot.offshoot')?.extensionPath ?? assert.fail();
}

/** The open terminals of the agent. */
const opened = (): vscode.Terminal[] =>
  vscode.window.terminals.filter(({ name, exitStatus }) => name === 'Offshoot Agent' && !exitStatus);

if (triedShells.length > 0) {
  describe('the terminals of the agent', () => {
    let folder: string;
    const made: EditorTerminals[] = [];

    before(async () => {
      folder = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-terminals-')));
    });
    after(() => rm(folder, { recursive: true, force: true }));
    afterEach(async () => {
      for (const terminals of made.splice(0)) terminals.dispose();
      await until(() => opened().length === 0, 'the terminals to close');
    });

    function open(shell: TriedShell, options: EditorTerminalsOptions = {}): EditorTerminals {
      const program = findShell(shell, root());
      const terminals = new EditorTerminals(() => Promise.resolve(new NodePrograms('')), {
        shell: () => program,
        ...options,
      });
      made.push(terminals);
      return terminals;
    }

    async function start(
      terminals: EditorTerminals,
      command: string,
      wall?: Wall,
    ): Promise<StartedCommand & { readonly output: CommandOutput }> {
      const output = new CommandOutput();
      const onOutput = (text: string): void => output.add(text);
      const asked = { chatId: 'chat', command, folder: uriOf(folder), wall, onOutput };
      const started = await terminals.start(asked);
      return { ...started, output };
    }

    async function run(terminals: EditorTerminals, command: string, wall?: Wall): Promise<Ended> {
      const { ended, output } = await start(terminals, command, wall);
      return { exitCode: await ended, output: output.whole() };
    }

    const bubblewrap = findBubblewrap(root());
    if (bubblewrap !== undefined) {
      it('run commands in the sandbox, in a real terminal, and stop them there', async function () {
        this.timeout(60_000);
        const sandbox = new NodeSandbox({ program: bubblewrap, needsProxy: false });
        const request = {
          chatId: 'chat',
          shell: findShell('bash', root()),
          readable: [],
          mayReach: () => false,
        };
        const wall = await sandbox.wall({ ...request, writable: [uriOf(folder)] });
        const terminals = open('bash');
        const tried =
          'test -t 0 && test -t 1 && echo terminal; touch "$HOME/x" 2> /dev/null || echo refused; echo in > in.txt; exit 5';
        assert.deepEqual(await run(terminals, tried, wall), { exitCode: 5, output: 'terminal\nrefused\n' });
        assert.equal(await readFile(path.join(folder, 'in.txt'), 'utf8'), 'in\n');
        // The relay is VS Code's own Node.
        const asks =
          `exec 3<>/dev/tcp/127.0.0.1/${RELAY_PORT}; ` +
          String.raw`printf 'GET http://a.example.com/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' >&3; cat <&3`;
        assert.match((await run(terminals, asks, wall)).output, /may not reach a\.example\.com/u);
        assert.deepEqual(wall.refusedHosts(), ['http://a.example.com']);
        const goesOn = await start(terminals, 'echo begun; sleep 1000', wall);
        await until(() => goesOn.output.whole().includes('begun'), 'the command to begin');
        goesOn.stop();
        await goesOn.ended;
        assert.deepEqual(await run(terminals, 'echo again'), { exitCode: 0, output: 'again\n' });
        await wall.close();
      });
    }

    for (const shell of triedShells) {
      it(`run commands in ${shell} as they were shown, in a real terminal, and read what they write`, async function () {
        this.timeout(60_000);
        const terminals = open(shell);
        const forEach = shell === 'fish' ? 'for x in a b\necho $x\nend' : 'for x in a b\ndo echo $x\ndone';
        const table: readonly (readonly [command: string, output: string, exitCode?: number])[] = [
          ['test -t 0 && test -t 1 && echo terminal', 'terminal\n'],
          ['printf 1.2.3', '1.2.3'],
          ["echo hi # it's a comment", 'hi\n'],
          ['echo "feat!: new" !false', 'feat!: new !false\n'],
          [forEach, 'a\nb\n'],
          ['echo a\tb "c\td"', 'a b c\td\n'],
          ['pwd', `${folder}\n`],
          ['cd /; exit 3', '', 3],
          ["exec sh -c 'pwd; exit 4'", `${folder}\n`, 4],
          ["sh -c 'kill $PPID'; exit 0", '', 143],
          ['echo still here', 'still here\n'],
        ];
        for (const [command, output, exitCode = 0] of table) {
          assert.deepEqual(await run(terminals, command), { exitCode, output }, command);
        }
        assert.equal(opened().length, 1, 'one after the other in the same terminal');
      });
    }

    it('read all that short commands write, however much VS Code tells at once', async function () {
      this.timeout(60_000);
      const terminals = open('dash');
      await run(terminals, 'true');
      // What comes from VS Code while the extension host is busy waits for it, and is then handed over in one turn.
      const pause = new Int32Array(new SharedArrayBuffer(4));
      const busy = setInterval(() => Atomics.wait(pause, 0, 0, 100), 10);
      try {
        for (const word of ['one', 'two', 'three', 'four', 'five']) {
          assert.deepEqual(await run(terminals, `echo ${word}`), { exitCode: 0, output: `${word}\n` });
        }
      } finally {
        clearInterval(busy);
      }
    });

    it('run the nastiest texts one after the other', async function () {
      this.timeout(60_000);
      const terminals = open('bash');
      // Without those that are about the home folder, about files, and about sizes.
      const texts = nastyCommands('bash').filter(
        ({ text, args }) => !text.includes('*') && args.length < 10 && !args.includes(HOME),
      );
      for (const { text, args } of texts.slice(0, 30)) {
        await run(terminals, `args() { printf '%s\\0' "$@" >> got; }\nrm -f got\n${text}`);
        const got = (await readFile(path.join(folder, 'got'), 'utf8')).split('\0').slice(0, -1);
        assert.deepEqual(got, args, text);
      }
    });

    it('show the last screen of a program that fills them', async () => {
      const { output } = await run(
        open('dash'),
        "printf '\\033[?1049h\\033[2J\\033[3;5Htext\\033[1;1Hfirst'; printf '\\033[?1049l'; echo over",
      );
      assert.equal(output, 'first\n\n    text\nover\n');
    });

    it('end a call when what reads the command is killed, or the terminal is closed', async function () {
      this.timeout(40_000);
      const terminals = open('bash', { graceMs: 500 });
      // VS Code drops what a terminal wrote last when it closes.
      const killing = 'echo one; until [ -f killing ]; do sleep 0.1; done; kill -9 $PPID; sleep 100';
      const killed = await start(terminals, killing);
      await until(() => killed.output.whole().includes('one'), 'what it writes');
      await writeFile(path.join(folder, 'killing'), '');
      assert.equal(await killed.ended, null);
      assert.equal(killed.output.whole(), 'one\n');
      const { ended, output } = await start(terminals, 'echo two; sleep 100');
      await until(() => output.whole().includes('two'), 'what it writes');
      opened()[0]?.dispose();
      assert.equal(await ended, null);
      assert.deepEqual(await run(terminals, 'echo three'), { exitCode: 0, output: 'three\n' });
    });

    it('end a call when its terminal is restarted, and run nothing again', async function () {
      this.timeout(40_000);
      const terminals = open('dash', { graceMs: 500 });
      const command = 'echo x >> restarted.txt; echo begun; sleep 100';
      const begun = await start(terminals, command);
      const { ended, output } = begun;
      await until(() => output.whole().includes('begun'), 'what it writes');
      begun.show();
      await until(() => vscode.window.activeTerminal?.name === 'Offshoot Agent', 'the terminal to be shown');
      await vscode.commands.executeCommand('workbench.action.terminal.relaunch');
      assert.equal(await ended, null);
      assert.equal((await run(terminals, 'exit 6')).exitCode, 6);
      assert.equal(await readFile(path.join(folder, 'restarted.txt'), 'utf8'), 'x\n');
    });

    it('stop what runs, by Ctrl+C or by closing the terminal where that does not help', async function () {
      this.timeout(40_000);
      const terminals = open('bash', { graceMs: 1_000 });
      for (const command of ['echo begun; sleep 100', "trap '' INT; echo begun; while :; do sleep 1; done"]) {
        const begun = await start(terminals, command);
        const { ended, output } = begun;
        await until(() => output.whole().includes('begun'), 'what it writes');
        begun.stop();
        assert.notEqual(await ended, 0);
      }
    });

    it('go by the real end where a command writes what VS Code takes for one, and say that output is missing', async () => {
      const forged = "printf '\\033]633;D;0\\007'; sleep 0.5; echo unseen; exit 5";
      const { exitCode, output } = await run(open('bash'), forged);
      assert.equal(exitCode, 5);
      assert.match(output, /\[Not all that it wrote could be read\./);
    });

    it('run a command that a user has typed before', async () => {
      const terminals = open('bash');
      await run(terminals, 'true');
      opened()[0]?.sendText('echo typed', false);
      assert.deepEqual(await run(terminals, 'echo ours'), { exitCode: 0, output: 'ours\n' });
      assert.equal(opened().length, 1);
    });

    it('run a command once, in a plain terminal, where VS Code’s own does not begin it in time', async () => {
      const terminals = open('bash', { beginMs: 0 });
      for (const line of ['1', '2']) {
        await run(terminals, `echo ${line} >> once.txt`);
      }
      assert.equal(await readFile(path.join(folder, 'once.txt'), 'utf8'), '1\n2\n');
    });
  });
}
