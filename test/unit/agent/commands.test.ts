import assert from 'node:assert/strict';
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import type { ApprovalChoice } from '../../../src/agent/tools/approvals.ts';
import { commandDetailsIn } from '../../../src/agent/tools/commands/commandDetails.ts';
import { CommandRun } from '../../../src/agent/tools/commands/commandRun.ts';
import { sha256 } from '../../../src/engine/bytes.ts';
import { isToolPart } from '../../../src/engine/uiMessage.ts';
import { progressOf, quietOf, type WaitsFor } from '../../../src/models/messages/toolParts.ts';
import { answer, toolResultsOf, useTools } from '../../fixtures/openaiServer.ts';
import { until } from '../../fixtures/until.ts';
import { CHAT, type World } from '../../worlds/agentWorld.ts';
import { commandWorld } from '../../worlds/commandWorld.ts';
import { callsIn, request } from '../../worlds/toolCalls.ts';
import { TestWorkspace } from '../../worlds/testWorkspace.ts';
import { Person } from '../../worlds/writingWorld.ts';

const lastResults = (world: World): string[] =>
  toolResultsOf(request(world.server, world.server.requests.length)).map(({ result }) => result);
const run = (command: string, more: object = {}) => ['run_command', { command, ...more }] as const;
const withoutTimes = (text: string): string => text.replaceAll(/\d+\.\d s/g, '# s');

async function resultsOf(
  commands: readonly ReturnType<typeof run>[],
  files: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  await using workspace = await TestWorkspace.create(files);
  const { world, runs } = await commandWorld(workspace, new Person(() => 'once'), [
    useTools(...commands),
    answer('ok'),
  ]);
  await using _world = world;
  await world.answered('?');
  runs.dispose();
  return lastResults(world).map(withoutTimes);
}

/** Has the clock run slower than timers. */
function slowClock(): Disposable {
  const now = performance.now.bind(performance);
  performance.now = () => now() * 0.9;
  return { [Symbol.dispose]: () => (performance.now = now) };
}

describe('commands of the agent', () => {
  it('are run in the workspace folder or one of it, and tell how they ended and what they wrote', async () => {
    const results = await resultsOf(
      [
        run('printf "a\\nb"; printf "c" >&2'),
        run('exit 3'),
        run('ls', { folder: 'sub' }),
        run('ls', { folder: 'none' }),
        run('ls', { folder: '../..' }),
        run('pwd; cd sub; pwd'),
        run('ls'),
        run('printf "\\033[31mred\\033[0m 10%%\\r20%%\\r\\n"'),
        run('cat', { waitSeconds: 0.1 }),
        run('ls\u0003'),
        run('ls a\0b'),
        run('ls \u009b31m'),
        run('exec sh -c "exit 7"'),
        run('kill $$'),
      ],
      { 'sub/x.txt': 'x' },
    );
    assert.deepEqual(results.slice(0, 3), [
      'Exit code 0 after # s.\n\na\nbc',
      'Exit code 3 after # s.\n\n[It wrote nothing.]',
      'Exit code 0 after # s.\n\nx.txt',
    ]);
    assert.match(results[3] ?? '', /There is no/);
    assert.match(results[4] ?? '', /is not in the folders that are open/);
    assert.match(results[6] ?? '', /\n\nsub$/, 'each begins in its own folder');
    assert.equal(results[7], 'Exit code 0 after # s.\n\n20% 10%', 'one over the other');
    assert.match(results[8] ?? '', /Still running/, 'nobody answers it');
    for (const refused of results.slice(9, 12)) assert.match(refused, /control characters/);
    assert.match(results[12] ?? '', /^Exit code 7/);
    assert.match(results[13] ?? '', /^Ended after # s; the exit code is not known/);
  });

  it('end their step, whatever they changed, so that it can be rewound to; one that was denied does not', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a' });
    const choices: ApprovalChoice[] = ['once', 'deny'];
    const { world, runs } = await commandWorld(workspace, new Person(() => choices.shift()), [
      useTools(run('ls')),
      useTools(run('ls -a')),
      answer('ok'),
    ]);
    await using _world = world;
    await world.answered('?');
    runs.dispose();
    const calls = (await world.path()).map((message) => callsIn([message]).map(({ state }) => state));
    assert.deepEqual(calls, [[], ['output-available'], ['output-denied']]);
  });

  it('are asked for each time with the exact text, unless they were allowed', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a' });
    const choices: ApprovalChoice[] = ['chat', 'once', 'chat', 'once', 'deny', 'workspace'];
    const person = new Person(() => choices.shift());
    const commands = [
      'ls',
      'ls',
      'ls -a',
      'ls; pwd',
      'ls; pwd',
      'ls $HOME',
      'ls $HOME',
      'cat a.txt',
      'cat a.txt',
    ];
    const { world } = await commandWorld(workspace, person, [
      useTools(...commands.map((each) => run(each))),
      answer('ok'),
    ]);
    await using _world = world;
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ command }) => [command?.text, command?.eachTime]),
      [
        ['ls', undefined],
        ['ls -a', undefined],
        ['ls; pwd', undefined],
        ['ls $HOME', 'not-plain'],
        ['ls $HOME', 'not-plain'],
        ['cat a.txt', undefined],
      ],
    );
    assert.match(lastResults(world)[6] ?? '', /did not allow/);
  });

  it('are not asked for when all of their beginnings are in the setting', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'a' });
    const person = new Person(() => 'deny');
    const allowed = ['ls', 'cat a.txt', 'node x.js', 'pwd && ls', '$(x)', ''];
    const asked = ['cat b.txt', 'ls; cat b.txt', 'ls > x', 'ls $(pwd)', 'node x.js', 'pwd', 'lsx'];
    const free = ['ls -a', 'cat a.txt | cat a.txt', 'ls && ls -l'];
    const { world } = await commandWorld(
      workspace,
      person,
      [useTools(...[...free, ...asked].map((each) => run(each))), answer('ok')],
      { allowed },
    );
    await using _world = world;
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ command }) => command?.text),
      asked,
    );
  });

  it('are asked for again when what they run has changed', async () => {
    const manifest = (script: string): string => `{ "scripts": { "test": "${script}" } }`;
    await using workspace = await TestWorkspace.create({
      'package.json': manifest('node test.js'),
      'test.js': '1',
      'sub/x.txt': '',
    });
    const person = new Person(({ command }) => (command ? 'chat' : 'once'));
    const test = run('npm test --version');
    const edit = ['edit_file', { path: 'test.js', oldText: '1', newText: '2' }] as const;
    const { world } = await commandWorld(
      workspace,
      person,
      [
        useTools(test, test, run('npm --version')),
        useTools(edit, test, run('npm --version', { folder: 'sub' })),
        answer('ok'),
      ],
      { allowed: ['npm --version'] },
    );
    await using _world = world;
    await world.answered('?');
    assert.deepEqual(
      person.asked.map(({ command, toolName, hasChanged }) => [
        command?.text ?? toolName,
        hasChanged,
        command?.haveScriptsChanged === true,
      ]),
      [
        ['npm test --version', false, false],
        ['edit_file', false, false],
        ['npm test --version', true, false],
        ['npm --version', false, true],
      ],
    );
  });

  it('that take longer go on, are read again, and are stopped', async () => {
    await using workspace = await TestWorkspace.create({ 'go.txt': '' });
    const command = 'echo one; while [ -f go.txt ]; do :; done; echo two; exec sleep 1000';
    let id = '';
    const { world, runs } = await commandWorld(workspace, new Person(() => 'once'), ({ body }, index) => {
      id = /as “(\w+)”/.exec(JSON.stringify(body.messages.at(-1)))?.[1] ?? id;
      switch (index) {
        case 0:
          return useTools(run(command, { waitSeconds: 0.2 }));
        case 1:
          return useTools(['read_command', { id, waitSeconds: 0 }], ['read_command', { id, stop: true }]);
        case 2:
          return useTools(['read_command', { id: 'nothing' }]);
        default:
          return answer('ok');
      }
    });
    await using _world = world;
    await world.answered('?');
    assert.deepEqual(runs.running(CHAT), []);
    const results = callsIn(await world.path()).map((call) => withoutTimes(JSON.stringify(call)));
    assert.match(results[0] ?? '', /Still running after # s, as “\w+”.*one/);
    assert.match(results[1] ?? '', /Still running/);
    assert.match(results[2] ?? '', /Stopped after # s.*one/);
    assert.match(results[3] ?? '', /There is no command “nothing” any more. No command is running./);
  });

  it('end when the answer is stopped, and what they wrote stays', async () => {
    await using workspace = await TestWorkspace.create();
    const { world, runs } = await commandWorld(workspace, new Person(() => 'once'), [
      useTools(run('echo begun; echo x > made.txt; sleep 1000 & sleep 1000')),
      answer('not asked for'),
    ]);
    await using _world = world;
    const asked = await world.ask('?');
    const shown = (): boolean =>
      world.events.some((event) => event.kind === 'part' && JSON.stringify(event.part).includes('"begun'));
    await until(shown, 'what it writes');
    await world.runs.stop(CHAT, asked.branch);
    await asked.done;
    assert.deepEqual(runs.running(CHAT), []);
    const [call] = callsIn(await world.path());
    assert.ok(call?.state === 'output-available');
    assert.match(JSON.stringify(call.output), /Stopped after .*begun.*made\.txt/);
    assert.deepEqual(commandDetailsIn(call.output)?.exitCode, null);
    assert.ok(!JSON.stringify(call.callProviderMetadata).includes('progress'));
  });

  it('are left running when the user says so', async () => {
    await using workspace = await TestWorkspace.create();
    const { world, runs } = await commandWorld(workspace, new Person(() => 'once'), [
      useTools(run('echo begun; exec sleep 1000')),
      answer('ok'),
    ]);
    await using _world = world;
    const asked = await world.ask('?');
    const id = await until(() => runs.running(CHAT)[0], 'the command');
    runs.get(CHAT, id)?.leave();
    await asked.done;
    assert.match(lastResults(world)[0] ?? '', /Still running/);
    assert.equal(runs.get('another', id), undefined);
    runs.dispose();
  });

  it('that were left are waited for again, until they end or are left once more', async () => {
    const left = new CommandRun(CHAT);
    const wait = () => left.wait(1_000_000, new AbortController().signal);
    left.leave();
    assert.equal(await wait(), 'left', 'before anybody waited');
    const again = wait();
    left.leave();
    assert.equal(await again, 'left');
    const last = wait();
    left.finish(0);
    assert.equal(await last, 'ended');
  });

  it('that write nothing for a while tell the user what they seem to wait for, until they write again', async () => {
    await using workspace = await TestWorkspace.create();
    const asks = "printf 'Password: '; while [ ! -f typed.txt ]; do :; done; echo thanks; exec sleep 1000";
    const { world, runs } = await commandWorld(
      workspace,
      new Person(() => 'once'),
      ({ body }, index) => {
        if (index === 0) return useTools(run(asks, { waitSeconds: 0 }));
        const [, id = ''] = /as “(\w+)”/.exec(JSON.stringify(body.messages.at(-1))) ?? [];
        return index === 1 ? useTools(['read_command', { id, waitSeconds: 60 }]) : answer('ok');
      },
      { quietMs: 300 },
    );
    await using _world = world;
    const asked = await world.ask('?');
    const isShown = (text: string, waitsFor: WaitsFor): boolean => {
      const last = world.events.findLast((event) => event.kind === 'part');
      if (last?.kind !== 'part' || !isToolPart(last.part)) return false;
      return progressOf(last.part)?.trimEnd() === text && quietOf(last.part)?.waitsFor === waitsFor;
    };
    await until(() => isShown('Password:', 'password'), 'what it waits for');
    await writeFile(workspace.at('typed.txt'), '');
    await until(() => isShown('Password: thanks', 'unknown'), 'the next silence');
    const [id = ''] = runs.running(CHAT);
    runs.get(CHAT, id)?.leave();
    await asked.done;
    assert.match(lastResults(world).at(-1) ?? '', /Still running .* It wrote nothing for the last \d+ s\./);
    assert.ok(
      callsIn(await world.path()).every((part) => quietOf(part) === undefined),
      'it is not kept',
    );
    runs.dispose();
  });

  it('tell it where a timer is ahead of the clock', async () => {
    await using workspace = await TestWorkspace.create();
    const { world, runs } = await commandWorld(
      workspace,
      new Person(() => 'once'),
      [useTools(run("printf 'Password: '; exec sleep 1000", { waitSeconds: 60 })), answer('ok')],
      { quietMs: 300 },
    );
    await using _world = world;
    using _clock = slowClock();
    const asked = await world.ask('?');
    await until(
      () =>
        world.events.some(
          (event) => event.kind === 'part' && isToolPart(event.part) && quietOf(event.part) !== undefined,
        ),
      'what it waits for',
    );
    const [id = ''] = runs.running(CHAT);
    runs.get(CHAT, id)?.leave();
    await asked.done;
    runs.dispose();
  });

  it('are recorded with what they change, so that all of it can go back', async () => {
    await using workspace = await TestWorkspace.create({ 'a.txt': 'one\n', 'b.sh': 'x', 'c.txt': 'c' });
    const { world } = await commandWorld(workspace, new Person(() => 'once'), [
      useTools(
        run('echo two >> a.txt; chmod +x b.sh; rm c.txt; mkdir -p d/e; echo new > d/e/f.txt; touch b.sh'),
      ),
      answer('ok'),
    ]);
    await using _world = world;
    await chmod(workspace.at('b.sh'), 0o644);
    await world.answered('?');
    assert.match(lastResults(world)[0] ?? '', /\[Files it changed: a\.txt, b\.sh, c\.txt, d\/e\/f\.txt\]/);
    const changes = (await world.store.listFileChanges(CHAT)).flatMap(({ files }) => files);
    const hash = (text: string): Promise<string> => sha256(new TextEncoder().encode(text));
    assert.deepEqual(
      changes.map(({ path, before, after, madeFolders }) => [path, before?.hash, after?.hash, madeFolders]),
      [
        ['a.txt', await hash('one\n'), await hash('one\ntwo\n'), undefined],
        ['b.sh', await hash('x'), await hash('x'), undefined],
        ['c.txt', await hash('c'), undefined, undefined],
        ['d/e/f.txt', undefined, await hash('new\n'), ['d', 'd/e']],
      ],
    );
    assert.equal((changes[1]?.after?.mode ?? 0) & 0o100, 0o100);
    assert.equal((changes[1]?.before?.mode ?? 0o100) & 0o100, 0);
    for (const { before } of changes) if (before) assert.ok(await world.store.blobs.has(before.hash));
  });

  it('that write for ever take no more room than is kept of them, and show the beginning and the end', async () => {
    const [result = ''] = await resultsOf([
      run('i=0; while [ $i -lt 300000 ]; do echo "line $i"; i=$((i+1)); done'),
    ]);
    assert.ok(result.length < 20_000, String(result.length));
    assert.match(result, /\n\nline 0\nline 1\n/);
    assert.match(result, /\d+ characters left out/);
    assert.match(result, /line 299999$/);
  });

  it('that write more than can be kept, in one line, are cut in the middle', async () => {
    await using workspace = await TestWorkspace.create();
    const { world, runs } = await commandWorld(workspace, new Person(() => 'once'), [
      useTools(run("printf begin; head -c 50000000 /dev/zero | tr '\\0' x; printf end")),
      answer('ok'),
    ]);
    await using _world = world;
    await world.answered('?');
    assert.match(
      lastResults(world)[0] ?? '',
      /\n\nbeginx{7995}\n… \[\d+ characters left out\] …\nx{7997}end$/,
    );
    const [call] = callsIn(await world.path());
    const kept = runs.ofCall(call?.toolCallId ?? '', undefined)?.output.whole() ?? '';
    assert.ok(kept.length > 1_000_000 && kept.length < 1_600_000, String(kept.length));
  });

  it('that leave something in the background still end', async () => {
    await using workspace = await TestWorkspace.create();
    const { world } = await commandWorld(workspace, new Person(() => 'once'), [
      useTools(run('sleep 1000 & echo $! > pid; echo done')),
      answer('ok'),
    ]);
    await using _world = world;
    await world.answered('?');
    assert.match(lastResults(world)[0] ?? '', /Exit code 0 .*\n\ndone/);
    process.kill(Number(await readFile(workspace.at('pid'), 'utf8')), 'SIGKILL');
    await rm(workspace.at('pid'));
  });
});
