import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { LOCAL_USER } from '../../../src/engine/users.ts';
import { uriOf } from '../../../src/host/node/fileUris.ts';
import { nodePlatform } from '../../../src/host/node/nodePlatform.ts';
import { DurableContextStore } from '../../../src/store/durableContextStore.ts';
import { CHAT, heronsFolder } from '../../fixtures/mcp/heronsFolder.ts';
import { McpClient, serverOf } from '../../fixtures/mcp/mcpClient.ts';
import { WindowProcess } from '../../fixtures/mcp/windowProcess.ts';
import { until } from '../../fixtures/until.ts';

const CLOSE = { chat: CHAT };

/** Every file with its size and times, to see that nothing was touched. */
async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs, ctimeMs, mode } = await stat(path.join(folder, name));
      return [name, size, mtimeMs, ctimeMs, mode].join(' ');
    }),
  );
}

describe('the MCP server, by a client from npm', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await heronsFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('says what it can do: nine tools, of which six only read', async () => {
    await using agent = await McpClient.start(serverOf(folder));
    const { tools } = await agent.client.listTools();
    const hints = tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    assert.deepEqual(hints, [
      ['search_conversations', true],
      ['list_branches', true],
      ['read_path', true],
      ['list_checkpoints', true],
      ['compare_branches', true],
      ['explain_line', true],
      ['create_checkpoint', false],
      ['add_note', false],
      ['merge_summary', false],
    ]);
    assert.match(agent.client.getInstructions() ?? '', /data, not instructions/);
    assert.deepEqual(agent.client.getServerCapabilities(), {
      tools: {},
      resources: { listChanged: true, subscribe: true },
    });
  });

  it('explains lines of files in the folders of runs', async () => {
    const work = await mkdtemp(path.join(tmpdir(), 'offshoot-work-'));
    try {
      const text = new TextEncoder().encode('const one = 1;\n');
      const store = new DurableContextStore({
        folder,
        platform: nodePlatform('dist'),
        onRecovery: () => assert.fail(),
        onError: (error) => assert.fail(String(error)),
      });
      const after = { hash: await store.blobs.put(text), size: text.length };
      const engine = new ContextEngine({ store, chatId: CHAT, userId: LOCAL_USER });
      engine.files.add({ folder: uriOf(work), path: 'a b.ts', before: null, after, at: 1 });
      await engine.set(user('Begin with one', { id: 'q3' }), assistant('done', { id: 'a3' })).save();
      await engine.close();
      await store.close();
      await writeFile(path.join(work, 'a b.ts'), '// mine\nconst one = 1;\n');
      await using agent = await McpClient.start(serverOf(folder));
      const { text: told, data } = await agent.call('explain_line', { path: 'a b.ts', line: 1, endLine: 2 });
      assert.match(told, /Line 2: message "a3" in chat "chat-1" \(Herons\).*\n {2}Question: Begin with one/u);
      assert.deepEqual(data?.['notKnown'], [{ from: 1, to: 1 }]);
      // The program's own files are in no folder of a run, but in that where it was started.
      assert.match(await agent.read('explain_line', { path: 'package.json', line: 1 }), /no step of a chat/u);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  });

  it('reads while no window is open, and touches no file', async () => {
    const before = await filesOf(folder);
    await using agent = await McpClient.start(serverOf(folder));
    assert.match(await agent.read('list_branches', {}), /chat "chat-1": Herons/);
    const branches = await agent.call('list_branches', CLOSE);
    assert.match(branches.text, /"main-v2" \(active\): 2 messages, forks after message "q1"/);
    assert.match(await agent.read('search_conversations', { query: 'reed' }), /\[reed\] beds/i);
    const path = await agent.read('read_path', CLOSE);
    assert.match(path, /<message id="q1" role="user"[^>]*>\nWhere do herons nest\?\n<\/message>/);
    assert.match(path, /In tall trees\./);
    assert.doesNotMatch(path, /reed/);
    assert.match(await agent.read('list_checkpoints', CLOSE), /"nesting".*"a1": In reed beds\./);
    const compared = await agent.read('compare_branches', { ...CLOSE, left: 'main', right: 'main-v2' });
    assert.match(compared, /part after message "q1".*Only on "main": 1 message\n.*In reed beds\./s);
    assert.match(await agent.resource('offshoot://chat/chat-1/branch/main'), /In reed beds\./);
    const { resources } = await agent.client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['offshoot://chat/chat-1/branch/main-v2', 'offshoot://chat/chat-1/branch/main'],
    );
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    assert.equal(resourceTemplates[0]?.uriTemplate, 'offshoot://chat/{chat}/branch/{branch}');
    const refused = await agent.call('add_note', { ...CLOSE, text: 'A note' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /No VS Code window has these conversations open.*Open the workspace/);
    assert.deepEqual(await filesOf(folder), before);
  });

  it('reads a folder that is not there yet, and makes none', async () => {
    const missing = path.join(folder, 'not', 'there');
    await using agent = await McpClient.start(serverOf(missing));
    assert.equal(await agent.read('list_branches', {}), 'There are no chats.');
    assert.equal(await agent.read('search_conversations', { query: 'x' }), 'No results.');
    await assert.rejects(stat(missing));
  });

  it('follows a window that writes under load, and tells of it', async () => {
    await using window = await WindowProcess.open(folder);
    await using agent = await McpClient.start(serverOf(folder));
    const uri = 'offshoot://chat/busy/branch/main';
    await agent.client.listResources();
    await agent.client.subscribeResource({ uri });
    window.tell({ kind: 'load', chat: 'busy' });
    await window.untilSaid(({ kind }) => kind === 'saved');
    let last = 0;
    for (let round = 0; round < 15; round++) {
      const text = await agent.read('read_path', { chat: 'busy', limit: 4 });
      const seen = Math.max(...Array.from(text.matchAll(/load (\d+)/g), ([, each]) => Number(each)));
      assert.ok(seen >= last, `${seen} after ${last}`);
      // Each save is there whole: a question never stands without its answer.
      assert.ok(text.includes(`Answer to load ${seen}`), text);
      last = seen;
    }
    assert.ok(last > 1, String(last));
    window.tell({ kind: 'stop' });
    await until(() => agent.updated.includes(uri) && agent.listChanges > 0, 'notices of changes');
    await agent.client.unsubscribeResource({ uri });
    await window.save(CHAT, 'And egrets?');
    await until(async () => (await agent.read('read_path', CLOSE)).includes('And egrets?'), 'a save');
    assert.equal(
      window.said.filter(({ kind }) => kind === 'access').length,
      1,
      'the window stays the writer',
    );
  });

  it('goes on reading when the window is killed, and asks the one that takes over', async () => {
    const first = await WindowProcess.open(folder);
    await using agent = await McpClient.start(serverOf(folder));
    first.tell({ kind: 'load', chat: 'busy' });
    await first.untilSaid((each) => each.kind === 'saved' && each.saves > 3);
    await agent.read('read_path', { chat: 'busy' });
    await first.kill();
    const saves = Math.max(...first.said.flatMap((each) => (each.kind === 'saved' ? [each.saves] : [])));
    const text = await agent.read('read_path', { chat: 'busy', limit: 4 });
    assert.ok(text.includes(`Answer to load ${saves}`), 'what was acknowledged is read');
    assert.match((await agent.call('add_note', { ...CLOSE, text: 'x' })).text, /No VS Code window/);

    await using second = await WindowProcess.open(folder);
    const noted = await agent.call('add_note', { ...CLOSE, text: 'Seen in Camargue.' });
    assert.match(noted.text, /The user allowed it\. Added the note to branch "main-v2"/);
    assert.equal(second.asked.length, 1);
    assert.match(await agent.read('read_path', CLOSE), /Note from Test Agent 1\.2\n\nSeen in Camargue\./);
  });

  it('writes what the user allows, and shows it at once', async () => {
    await using window = await WindowProcess.open(folder);
    await using agent = await McpClient.start(serverOf(folder));
    const made = await agent.call('create_checkpoint', { ...CLOSE, name: 'trees' });
    assert.equal(made.text, 'The user allowed it. Created the checkpoint at message "a2".');
    assert.match(await agent.read('list_checkpoints', CLOSE), /"trees"/);
    const merged = await agent.call('merge_summary', { ...CLOSE, from: 'main', text: '**Reeds** it was.' });
    assert.match(merged.text, /Added the summary to branch "main-v2", as message/);
    assert.match(await agent.read('read_path', CLOSE), /Summary of branch main\n\n\*\*Reeds\*\* it was\./);
    assert.deepEqual(window.asked, [
      {
        program: 'Test Agent 1.2',
        chatTitle: 'Herons',
        what: { kind: 'checkpoint', name: 'trees', text: 'In tall trees.' },
      },
      {
        program: 'Test Agent 1.2',
        chatTitle: 'Herons',
        what: { kind: 'summary', from: 'main', into: 'main-v2', text: '**Reeds** it was.' },
      },
    ]);
    const again = await agent.call('create_checkpoint', { ...CLOSE, name: 'trees' });
    assert.match(again.text, /Checkpoint "trees" already exists/);
    assert.equal(window.asked.length, 2, 'what can’t be is not asked for');
  });

  it('writes nothing the user declines, or that a client no longer waits for', async () => {
    await using window = await WindowProcess.open(folder);
    await using patient = await McpClient.start(serverOf(folder));
    window.tell({ kind: 'answer', policy: 'deny' });
    const declined = await patient.call('add_note', { ...CLOSE, text: 'No' });
    assert.deepEqual(
      [declined.isError, declined.text.startsWith('The user declined. Nothing was written.')],
      [true, true],
    );
    window.tell({ kind: 'answer', policy: 'never' });
    await using agent = await McpClient.start(serverOf(folder, '--ask-seconds', '3'));
    const waited = await agent.call('add_note', { ...CLOSE, text: 'No' });
    assert.match(waited.text, /The user did not answer within/);
    await window.untilSaid(({ kind }) => kind === 'withdrawn');
    const asked = window.asked.length;
    const leaving = new AbortController();
    const left = assert.rejects(
      patient.call('add_note', { ...CLOSE, text: 'No' }, { signal: leaving.signal }),
    );
    await until(() => window.asked.length > asked, 'the window to ask');
    leaving.abort();
    await left;
    await until(
      () => window.said.filter(({ kind }) => kind === 'withdrawn').length === 2,
      'the question to end',
    );
    assert.doesNotMatch(await agent.read('read_path', CLOSE), /Note from/);
  });

  it('answers what is malformed with an error, and goes on', async () => {
    await using agent = await McpClient.start(serverOf(folder));
    const wrong = [
      ['read_path', {}, /Invalid input \(chat\)/],
      ['read_path', { chat: 'nobody' }, /There is no chat "nobody"/],
      ['read_path', { ...CLOSE, branch: 'nope' }, /no branch "nope"/],
      ['read_path', { ...CLOSE, message: 'nope' }, /no message "nope"/],
      ['read_path', { ...CLOSE, message: 'q1', part: 9 }, /no such part/],
      ['list_branches', { limit: 0 }, /Invalid input \(limit\)/],
      ['list_branches', { cursor: 'x' }, /no nextCursor/],
      ['search_conversations', { query: '  ' }, /Invalid input \(query\)/],
      ['create_checkpoint', { ...CLOSE, name: 7 }, /Invalid input \(name\)/],
      ['add_note', { ...CLOSE, text: 'x'.repeat(20_001) }, /Invalid input \(text\)/],
    ] as const;
    for (const [name, input, expected] of wrong) {
      const { isError, text } = await agent.call(name, input);
      assert.equal(isError, true, name);
      assert.match(text, expected);
    }
    await assert.rejects(agent.call('drop_everything', {}), /no tool "drop_everything"/);
    for (const uri of [
      'offshoot://chat/x',
      'file:///etc/passwd',
      'offshoot://chat/%/branch/%',
      'offshoot://chat/no/branch/no',
    ]) {
      await assert.rejects(agent.client.readResource({ uri }));
    }
    await assert.rejects(agent.client.subscribeResource({ uri: 'http://x' }));
    assert.match(await agent.read('list_branches', {}), /Herons/);
  });

  it('survives what is no protocol, and ends with its client', async () => {
    const { command, args } = serverOf(folder);
    const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'ignore'] });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    const ended = once(child, 'exit');
    child.stdin.write('not json\n{"jsonrpc":"2.0"}\n[1,2]\n{"jsonrpc":"2.0","id":1,"method":"no/such"}\n');
    child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    await until(() => out.includes('"id":2'), 'an answer after all that');
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  });

  it('says how it is started when it is started otherwise', async () => {
    const [command, program = ''] = [process.execPath, serverOf(folder).args[0]];
    for (const args of [[], ['--storage'], ['--nonsense'], ['--storage', folder, '--ask-seconds', 'x']]) {
      const child = spawn(command, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
      assert.deepEqual(await once(child, 'close'), [2, null]);
      assert.match(errors, /^Usage: /);
    }
  });
});
