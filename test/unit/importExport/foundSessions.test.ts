import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256 } from '../../../src/engine/bytes.ts';
import { NodeForeignFiles } from '../../../src/host/node/nodeForeignFiles.ts';
import { BatchList } from '../../../src/importExport/importBatch.ts';
import type { ProgramFormat } from '../../../src/importExport/programFormat.ts';
import { copilot } from '../../../src/importExport/programs/copilotSession.ts';
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

  async function titlesOf({ find }: ProgramFormat, env: Record<string, string> = {}): Promise<string[]> {
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
    return list.batches.flatMap(({ found }) => found.map(({ title = '' }) => title)).toSorted();
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
});
