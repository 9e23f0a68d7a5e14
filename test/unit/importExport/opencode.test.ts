import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Imports } from '../../../src/conversation/imports.ts';
import { NodeForeignFiles } from '../../../src/host/node/nodeForeignFiles.ts';
import { opencode } from '../../../src/importExport/programs/opencode/opencode.ts';
import { loadSqlite } from '../../../src/store/sqlite/connection.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { databaseOpener } from '../../../src/store/sqlite/tableReader.ts';
import { outlineOf } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { sqliteWasm } from '../../fixtures/wasm.ts';

const NOW = Date.parse('2026-02-01');
const START = Date.parse('2026-01-01T09:00:00Z');

interface Written {
  readonly id: string;
  readonly info?: object;
  readonly parentId?: string;
  readonly title?: string;
  readonly revert?: object;
  /** Each with its time after the start, in seconds. */
  readonly said: readonly (readonly [at: number, role: 'user' | 'assistant', ...parts: object[]])[];
}

const text = (said: string): object => ({ type: 'text', text: said });
const first = [
  [0, 'user', text('What is a parser?')],
  [1, 'assistant', text('It reads text.')],
] as const;

const forked: readonly Written[] = [
  {
    id: 'ses_a',
    title: 'Parsers',
    said: [...first, [2, 'user', text('And a lexer?')], [3, 'assistant', text('It cuts words.')]],
  },
  {
    id: 'ses_b',
    title: 'Parsers (fork #1)',
    said: [...first, [4, 'user', text('How long is one?')], [5, 'assistant', text('A few lines.')]],
  },
];

describe('sessions of opencode', () => {
  let store: SqlContextStore;
  let home = '';
  let project = '';

  beforeEach(async () => {
    store = memoryStore(() => NOW);
    home = await realpath(await mkdtemp(path.join(tmpdir(), 'opencode-')));
    project = path.join(home, 'project');
    await mkdir(path.join(home, '.local', 'share', 'opencode'), { recursive: true });
  });

  afterEach(async () => {
    await store.close();
    await rm(home, { recursive: true });
  });

  function rowsOf({ id, title = '', parentId, revert, said }: Written) {
    const last = said.at(-1)?.[0] ?? 0;
    const time = { created: START + last, updated: START + last * 1_000 };
    return {
      session: { id, parentID: parentId, directory: project, title, revert, time },
      messages: said.map(([at, role, ...parts], index) => ({
        id: `msg_${id}_${String(index).padStart(3, '0')}`,
        info: { role, modelID: 'heron-1', time: { created: START + at * 1_000 } },
        parts,
      })),
    };
  }

  async function writeDatabase(sessions: readonly Written[]): Promise<void> {
    const database = new (await loadSqlite(sqliteWasm)).Database();
    database.exec(`CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
      CREATE INDEX of_session ON message (session_id); CREATE INDEX of_message ON part (message_id)`);
    for (const each of sessions) {
      const { session, messages } = rowsOf(each);
      const { id, parentID = null, title, revert = null, time } = session;
      const kept = revert && JSON.stringify(revert);
      database.run('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)', [
        id,
        parentID,
        project,
        title,
        kept,
        time.created,
        time.updated,
      ]);
      for (const { id: messageId, info, parts } of messages) {
        database.run('INSERT INTO message VALUES (?, ?, ?, ?)', [
          messageId,
          id,
          info.time.created,
          JSON.stringify(info),
        ]);
        for (const [at, part] of parts.entries())
          database.run('INSERT INTO part VALUES (?, ?, ?)', [
            `prt_${messageId}_${at}`,
            messageId,
            JSON.stringify(part),
          ]);
      }
    }
    await writeFile(path.join(home, '.local', 'share', 'opencode', 'opencode.db'), database.export());
    database.close();
  }

  async function writeFolders(sessions: readonly Written[]): Promise<void> {
    const put = async (value: object, ...place: readonly string[]): Promise<void> => {
      const file = path.join(home, '.local', 'share', 'opencode', 'storage', ...place);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(`${file}.json`, JSON.stringify(value));
    };
    for (const each of sessions) {
      const { session, messages } = rowsOf(each);
      await put(session, 'session', 'global', each.id);
      for (const { id, info, parts } of messages) {
        await put({ id, ...info }, 'message', each.id, id);
        for (const [at, part] of parts.entries()) await put(part, 'part', id, `prt_${id}_${at}`);
      }
    }
  }

  async function imported(): Promise<string[]> {
    const imports = new Imports(store, 'ann');
    const signal = new AbortController().signal;
    const list = imports.list(signal);
    const files = new NodeForeignFiles({}, home, 'linux');
    await opencode.find?.({
      places: {
        folders: [project],
        vsCode: { sessions: home, storageOf: () => home },
        userFolder: (folder, ...inside) => files.userFolder(folder, ...inside),
        list: (folder, ...below) => files.list(folder, ...below),
      },
      list,
      now: NOW,
      openDatabase: databaseOpener(sqliteWasm),
    });
    assert.deepEqual(list.unread, []);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    const { created, extended } = await imports.take(chosen, NOW, signal, () => undefined);
    return Promise.all(
      [...created, ...extended.map(({ chatId }) => chatId)].map((id) => outlineOf(store, id)),
    );
  }

  const tree = `# Parsers
main *
  user: "What is a parser?"
  assistant [heron-1]: "It reads text."
  user: "How long is one?"
  assistant [heron-1]: "A few lines."
main-v2
  ..
  user: "And a lexer?"
  assistant [heron-1]: "It cuts words."`;

  it('are one chat with their forks, out of the database and out of older files', async () => {
    await writeFolders(forked);
    assert.deepEqual(await imported(), [tree]);
    // The database takes the files over, which stay.
    await writeDatabase(forked);
    assert.deepEqual(await imported(), []);
  });

  it('have their agents as branches of the calls that started them', async () => {
    const state = { status: 'completed', input: {}, output: 'Two.', metadata: { sessionId: 'ses_agent' } };
    await writeDatabase([
      {
        id: 'ses_a',
        title: 'Birds',
        said: [
          [0, 'user', text('Count.')],
          [1, 'assistant', text('I send one.'), { type: 'tool', callID: 'c', tool: 'task', state }],
          [4, 'assistant', text('Two.')],
        ],
      },
      {
        id: 'ses_agent',
        parentId: 'ses_a',
        title: 'Count birds (@general subagent)',
        said: [
          [2, 'user', text('Count the birds.')],
          [3, 'assistant', text('Two kinds.')],
        ],
      },
    ]);
    const [outline = ''] = await imported();
    assert.match(
      outline,
      /Count birds \(@general subagent\)\n {2}\.\.\n {2}user: "Count the birds\."\n.*Two kinds/u,
    );
    assert.match(outline, /^# Birds\nmain \*/u);
  });

  it('keep what was undone on a branch, and are brought up to date', async () => {
    const said = forked[0]?.said ?? [];
    await writeDatabase([{ id: 'ses_a', title: 'Parsers', revert: { messageID: 'msg_ses_a_002' }, said }]);
    const [outline = ''] = await imported();
    assert.match(
      outline,
      /main \*\n {2}user: "What is a parser\?"\n.*It reads text\."\nmain-v2\n {2}\.\.\n {2}user: "And a lexer/u,
    );
    // The next question removes what was undone.
    await writeDatabase([
      { id: 'ses_a', title: 'Parsers', said: [...first, [9, 'user', text('Another way.')]] },
    ]);
    const [later = ''] = await imported();
    assert.match(later, /Another way/u);
    assert.match(later, /And a lexer/u);
    assert.equal(later.match(/It reads text/gu)?.length, 1);
  });
});
