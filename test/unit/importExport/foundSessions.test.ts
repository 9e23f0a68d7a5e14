import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../../../src/engine/bytes.ts';
import { NodeForeignFiles } from '../../../src/host/node/nodeForeignFiles.ts';
import { BatchList } from '../../../src/importExport/importBatch.ts';
import type { ProgramFormat } from '../../../src/importExport/programFormat.ts';
import { copilot } from '../../../src/importExport/programs/copilotSession.ts';
import { cline } from '../../../src/importExport/programs/clineTask.ts';
import { gemini } from '../../../src/importExport/programs/geminiSession.ts';

const NOW = Date.parse('2026-02-01');
const PROJECT = '/home/me/project';

describe('sessions in the folders of their programs', () => {
  let home: string;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'offshoot-found-')));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const fixture = (program: string, name: string): Promise<string> =>
    readFile(path.join('test', 'fixtures', 'imports', program, name), 'utf8');

  async function put(content: string, ...place: readonly string[]): Promise<void> {
    const file = path.join(home, ...place);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  async function foundOf(
    { find }: ProgramFormat,
    env: Record<string, string> = {},
  ): Promise<BatchList['batches']> {
    const list = new BatchList(new AbortController().signal);
    const files = new NodeForeignFiles(env, home, 'linux');
    await find?.({
      places: {
        folders: [PROJECT],
        vsCode: { sessions: home, storageOf: () => home },
        userFolder: (folder, ...inside) => files.userFolder(folder, ...inside),
        list: (folder, ...below) => files.list(folder, ...below),
      },
      list,
      now: NOW,
    });
    assert.deepEqual(list.unread, []);
    return list.batches;
  }

  async function titlesOf(format: ProgramFormat, env?: Record<string, string>): Promise<string[]> {
    const batches = await foundOf(format, env);
    return batches.flatMap(({ found }) => found.map(({ title = '' }) => title)).toSorted();
  }

  it('of Gemini CLI are those of projects in the workspace, with the agents of each', async () => {
    const text = await fixture('gemini', 'session-tree.jsonl');
    const agent = await fixture('gemini', 'agent.jsonl');
    const old = await fixture('gemini', 'session-old.json');
    const hash = await sha256(Uint8Array.from(new TextEncoder().encode(PROJECT)));
    for (const base of [['.gemini'], ['other', '.gemini']]) {
      await put(`${PROJECT}/inside\n`, ...base, 'tmp', 'inside', '.project_root');
      await put(text, ...base, 'tmp', 'inside', 'chats', 'session-2026-01-05T09-00-g.jsonl');
      await put(agent, ...base, 'tmp', 'inside', 'chats', 'g-main', 'g-agent.jsonl');
      await put(old, ...base, 'tmp', hash, 'chats', 'session-2026-01-05T09-20-o.json');
      await put(`${PROJECT}-not`, ...base, 'tmp', 'project', '.project_root');
      await put(text, ...base, 'tmp', 'project', 'chats', 'session-2026-01-05T09-00-g.jsonl');
    }
    assert.deepEqual(await titlesOf(gemini), ['A constant and its tests', 'What is it?']);
    const env = { GEMINI_CLI_HOME: path.join(home, 'other') };
    assert.deepEqual(await titlesOf(gemini, env), ['A constant and its tests', 'What is it?']);
  });

  it('of Copilot CLI are those that began in the workspace, with the names they were given', async () => {
    const [events, fork] = [await fixture('copilot', 'events.jsonl'), await fixture('copilot', 'fork.jsonl')];
    const state = ['.copilot', 'session-state'];
    await put(events, ...state, 's-one', 'events.jsonl');
    await put(fork, ...state, 's-two', 'events.jsonl');
    await put(await fixture('copilot', 'workspace.yaml'), ...state, 's-two', 'workspace.yaml');
    const elsewhere = events.replaceAll('/home/me/project', '/home/me/other').replaceAll('"e', '"x');
    await put(elsewhere, ...state, 's-three', 'events.jsonl');
    assert.deepEqual(await titlesOf(copilot), ['A constant: "a"']);
    const alone = events.replaceAll('"id":"e', '"id":"y');
    await put(alone, 'own', 'session-state', 's-four.jsonl');
    assert.deepEqual(await titlesOf(copilot, { COPILOT_HOME: path.join(home, 'own') }), ['Look at this']);
  });

  it('of Cline are one with those forked from it; one in which nothing was said since is no branch', async () => {
    const turns = ['What is it?', 'A wren.', 'And that?', 'An owl.'].map((text, at) => ({
      id: `m${at}`,
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text }],
      ts: NOW - 1_000 + at,
    }));
    const session = async (id: string, messages: readonly object[], metadata: object): Promise<void> => {
      const folder = ['.cline', 'data', 'sessions', id];
      await put(JSON.stringify({ cwd: PROJECT, metadata }), ...folder, `${id}.json`);
      await put(JSON.stringify({ version: 1, sessionId: id, messages }), ...folder, `${id}.messages.json`);
    };
    const fork = { forkedFromSessionId: '1_a' };
    await session('1_a', turns, { title: 'Birds' });
    await session('2_b', [], { title: 'Birds (fork)', fork });
    await session('3_c', turns.slice(0, 2), { title: 'Birds (fork)', fork });
    const chats = [];
    for (const batch of await foundOf(cline))
      for await (const { chat } of batch.read(new Set(batch.found.map(({ key }) => key)))) chats.push(chat);
    const [{ title, messages, branches } = assert.fail(), ...others] = chats;
    assert.deepEqual([title, messages.length, others], ['Birds', 4, []]);
    assert.deepEqual(
      branches.map(({ headMessageId }) => headMessageId),
      [messages.at(-1)?.id],
    );
  });
});
