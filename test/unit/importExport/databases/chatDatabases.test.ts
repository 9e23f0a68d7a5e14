import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';
import type { Unzstd } from '../../../../src/base/foreignDatabase.ts';
import { Imports } from '../../../../src/conversation/imports.ts';
import { NodeForeignFiles } from '../../../../src/host/node/nodeForeignFiles.ts';
import type { BatchList } from '../../../../src/importExport/importBatch.ts';
import type { SqlContextStore } from '../../../../src/store/sqlite/contextStore.ts';
import { loadSqlite } from '../../../../src/store/sqlite/connection.ts';
import { databaseOpener } from '../../../../src/store/sqlite/tableReader.ts';
import { outlineOf, reportIn, sourceFile } from '../../../fixtures/importOutline.ts';
import { memoryStore } from '../../../fixtures/stores.ts';
import { sqliteWasm } from '../../../fixtures/wasm.ts';

const NOW = Date.parse('2026-02-01');

type Rows = readonly (readonly (string | number | Uint8Array | null)[])[];

/** The bytes of a database with these tables, by what creates each. */
async function databaseOf(tables: Readonly<Record<string, Rows>>): Promise<Uint8Array> {
  const { Database } = await loadSqlite(sqliteWasm);
  const database = new Database();
  try {
    for (const [definition, rows] of Object.entries(tables)) {
      database.run(`CREATE TABLE ${definition}`);
      const table = definition.slice(0, definition.indexOf(' '));
      for (const row of rows)
        database.run(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`, [...row]);
    }
    return database.export();
  } finally {
    database.close();
  }
}

const json = (value: unknown): string => JSON.stringify(value);
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(json(value));

const KEYS = '(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)';

/** As Cursor writes it since bubbles have rows of their own, and before. */
const cursorRows: Rows = [
  [
    'composerData:c1',
    json({
      ...{ _v: 10, composerId: 'c1', name: 'Herons', createdAt: 1_746_000_000_000 },
      fullConversationHeadersOnly: ['b1', 'b2', 'b3', 'b4', 'gone'].map((bubbleId) => ({
        bubbleId,
        type: 1,
      })),
      modelConfig: { modelName: 'default' },
    }),
  ],
  ['bubbleId:c1:b1', json({ _v: 3, type: 1, bubbleId: 'b1', text: 'What is it?', images: [{ uuid: 'x' }] })],
  [
    'bubbleId:c1:b2',
    bytes({
      ...{ _v: 3, type: 2, bubbleId: 'b2', text: '', thinking: { text: 'Legs.' } },
      ...{ createdAt: '2025-05-01T10:00:00.000Z', modelInfo: { modelName: 'claude-x' } },
    }),
  ],
  [
    'bubbleId:c1:b3',
    json({
      ...{ _v: 3, type: 2, bubbleId: 'b3', text: '', capabilityType: 15 },
      toolFormerData: {
        ...{
          tool: 40,
          toolCallId: 't',
          name: 'read_file',
          status: 'completed',
          rawArgs: '{"target_file":"a"}',
        },
        result: '{"contents":"heron"}',
      },
    }),
  ],
  ['bubbleId:c1:b4', json({ _v: 3, type: 2, bubbleId: 'b4', text: 'A heron.' })],
  ['bubbleId:c10:b1', json({ _v: 3, type: 2, bubbleId: 'b1', text: 'of another one' })],
  [
    'composerData:c2',
    json({
      composerId: 'c2',
      conversation: [
        { type: 1, bubbleId: 'o1', text: 'Inline' },
        { type: 2, bubbleId: 'o2', text: 'Yes.' },
        { type: 9 },
      ],
    }),
  ],
  ['composerData:c3', 'not JSON'],
  ['checkpointId:c1:x', '{}'],
];

const zedThread = {
  ...{
    version: '0.3.0',
    title: 'Nests',
    updated_at: '2025-05-01T10:00:00Z',
    model: { provider: 'p', model: 'm' },
  },
  messages: [
    {
      User: {
        id: 'u1',
        content: [
          { Text: 'Look.' },
          { Mention: { uri: { File: { abs_path: '/x/nest.txt' } }, content: 'twigs' } },
          { Image: { source: 'iVBORw0KGgoAAAAN', size: { width: 1, height: 1 } } },
        ],
      },
    },
    {
      Agent: {
        content: [
          { Thinking: { text: 'Twigs.', signature: null } },
          { RedactedThinking: 'x' },
          {
            ToolUse: {
              id: 't',
              name: 'count',
              raw_input: '{}',
              input: { of: 'twigs' },
              is_input_complete: true,
            },
          },
          {
            ToolUse: { id: 'constructor', name: 'wait', raw_input: '', input: {}, is_input_complete: false },
          },
          { Text: 'Twelve.' },
        ],
        tool_results: {
          t: { tool_use_id: 't', tool_name: 'count', is_error: false, content: { Text: '12' } },
        },
      },
    },
    'Resume',
    { Robot: {} },
  ],
};
const oldZedThread = {
  ...{ version: '0.2.0', summary: 'Old', updated_at: '2025-01-01T00:00:00Z' },
  messages: [
    { id: 0, role: 'system', segments: [{ type: 'text', text: 'Be kind.' }] },
    { id: 1, role: 'user', segments: [{ type: 'text', text: 'Old?' }], tool_uses: [], tool_results: [] },
    {
      ...{ id: 2, role: 'assistant', segments: [{ type: 'text', text: 'Yes.' }] },
      tool_uses: [{ id: 't', name: 'now', input: {} }],
      tool_results: [{ tool_use_id: 't', is_error: true, content: 'no clock', output: null }],
    },
  ],
};
const THREADS =
  'threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL, folder_paths TEXT)';

describe('chats in databases of other programs', () => {
  let store: SqlContextStore;
  let imports: Imports;
  let home: string;
  beforeEach(async () => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
    home = await mkdtemp(path.join(tmpdir(), 'offshoot-databases-'));
  });
  afterEach(async () => {
    await rm(home, { recursive: true, force: true });
    await store.close();
  });

  const taken = async (list: BatchList) => {
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    const outcome = await imports.take(chosen, NOW, new AbortController().signal, () => undefined);
    assert.deepEqual(outcome.failed, []);
    return {
      chats: await Promise.all(outcome.created.map((id) => outlineOf(store, id))),
      report: reportIn(outcome.leftOut),
      unchanged: outcome.unchanged.length,
      unread: list.unread.map(({ error }) => String(error)),
    };
  };
  const take = async (database: Uint8Array, unzstd?: Unzstd) => {
    const list = imports.list(new AbortController().signal);
    await imports.addFile(
      list,
      sourceFile('it.db', database),
      NOW,
      undefined,
      databaseOpener(sqliteWasm, unzstd),
    );
    return taken(list);
  };
  /** Of the folder `/home/me/project`. */
  const found = async (program: string) => {
    const list = imports.list(new AbortController().signal);
    const files = new NodeForeignFiles({}, home, 'linux');
    await imports.programs
      .find((each) => each.program === program)
      ?.find?.({
        places: {
          folders: ['/home/me/project'],
          vsCode: { sessions: home, storageOf: () => home },
          userFolder: (folder, ...inside) => files.userFolder(folder, ...inside),
          list: (folder, ...below) => files.list(folder, ...below),
        },
        list,
        now: NOW,
        openDatabase: databaseOpener(sqliteWasm, files.unzstd),
      });
    return taken(list);
  };
  const put = async (content: string | Uint8Array, ...place: readonly string[]): Promise<void> => {
    const file = path.join(home, ...place);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };

  const cursorChats = [
    [
      '# Herons',
      'main *',
      '  user: "What is it?"',
      '  assistant [claude-x]: thinks "Legs."',
      '  assistant [default]: read_file({"target_file":"a"}) -> {"contents":"heron"}',
      '  assistant [default]: "A heron."',
    ].join('\n'),
    ['# Inline', 'main *', '  user: "Inline"', '  assistant: "Yes."'].join('\n'),
  ];

  it('of Cursor are read, of either kind, and again without a change', async () => {
    const database = await databaseOf({ [`ItemTable ${KEYS}`]: [], [`cursorDiskKV ${KEYS}`]: cursorRows });
    const { chats, report } = await take(database);
    assert.deepEqual(chats, cursorChats);
    assert.deepEqual(report, [
      'Pictures that cannot be shown: 1',
      'Messages that are missing: 1',
      'Times of messages, which are not in the file: 5',
      'Messages of an unknown kind: 1',
    ]);
    assert.equal((await take(database)).unchanged, 2);
  });

  it('of Cursor are found by the windows of the workspace’s folders', async () => {
    const user = ['.config', 'Cursor', 'User'];
    const composers = (...ids: readonly string[]): string =>
      json({ allComposers: ids.map((composerId) => ({ composerId })), selectedComposerId: ids[0] });
    const windows = { w1: ['/home/me/project', ['c1']], w2: ['/home/me/other', ['c2']] } as const;
    await put(
      await databaseOf({ [`ItemTable ${KEYS}`]: [], [`cursorDiskKV ${KEYS}`]: cursorRows }),
      ...user,
      'globalStorage',
      'state.vscdb',
    );
    for (const [name, [folder, ids]] of Object.entries(windows)) {
      const at = [...user, 'workspaceStorage', name];
      await put(json({ folder: pathToFileURL(folder).href }), ...at, 'workspace.json');
      await put(
        await databaseOf({
          [`ItemTable ${KEYS}`]: [['composer.composerData', composers(...ids)]],
          [`cursorDiskKV ${KEYS}`]: [],
        }),
        ...[...at, 'state.vscdb'],
      );
    }
    const { chats, unread } = await found('cursor');
    assert.deepEqual([chats, unread], [cursorChats.slice(0, 1), []]);
  });

  const zedChats = [
    [
      '# Nests',
      'main *',
      '  user: "Look." + "[Attached file: nest.txt]\\n\\n```\\ntwigs\\n```" + picture',
      '  assistant [m]: thinks "Twigs." + count({"of":"twigs"}) -> "12" + "Twelve."',
    ].join('\n'),
    ['# Old', 'main *', '  user: "Old?"', '  assistant: "Yes." + now({}) -> failed no clock'].join('\n'),
  ];
  const zedReport = [
    'Reasoning that is encrypted: 1',
    'Calls of tools without a result: 1',
    'Messages of an unknown kind: 1',
    'Times of messages, which are not in the file: 4',
    'Instructions of the other program: 1',
    'Settings, states and other bookkeeping, which belong to the program: 1',
  ];

  it('of Zed are read, of either version, and again without a change', async () => {
    const database = await databaseOf({
      [THREADS]: [
        ['t1', 'Nests', '2025-05-01T10:00:00Z', 'json', bytes(zedThread), null],
        ['t2', 'Old', '2025-01-01T00:00:00Z', 'json', bytes(oldZedThread), null],
      ],
    });
    const { chats, report } = await take(database);
    assert.deepEqual([chats, report], [zedChats, zedReport]);
    assert.equal((await take(database)).unchanged, 2);
  });

  it('of Zed that are packed are unpacked, or refused with a reason where nothing does', async () => {
    const packed = Uint8Array.from(zlib.zstdCompressSync(bytes(zedThread)));
    const rows: Rows = [
      ['t1', 'Nests', '2025-05-01T10:00:00Z', 'zstd', packed, '/home/me/project\n/home/me/more'],
      ['t3', 'Elsewhere', '2025-05-01T10:00:00Z', 'zstd', packed, '/home/me/elsewhere'],
      ['t4', 'Torn', '2025-05-01T10:00:00Z', 'zstd', packed.slice(0, 30), '/home/me/project'],
    ];
    const database = await databaseOf({ [THREADS]: rows });
    await put(database, '.local', 'share', 'zed', 'threads', 'threads.db');
    const { chats, report } = await found('zed');
    assert.deepEqual(chats, zedChats.slice(0, 1));
    assert.ok(report.includes('Conversations without messages: 1'), report.join());
    const { unread } = await take(database);
    assert.match(unread.join(), /packed with Zstandard, which this version of the editor can’t unpack/u);
  });

  it('of an Open WebUI server are read as its exports are', async () => {
    const history = {
      currentId: 'a',
      messages: {
        q: {
          id: 'q',
          parentId: null,
          childrenIds: ['a'],
          role: 'user',
          content: 'Hello',
          timestamp: 1_746_000_000,
        },
        a: {
          id: 'a',
          parentId: 'q',
          childrenIds: [],
          role: 'assistant',
          content: 'Hi!',
          timestamp: 1_746_000_001,
        },
      },
    };
    const database = await databaseOf({
      'auth (id TEXT)': [],
      'user (id TEXT)': [],
      'chat (id TEXT PRIMARY KEY, user_id TEXT, title TEXT, chat JSON, created_at BIGINT)': [
        ['w1', 'u', 'Greeting', json({ title: 'Greeting', history }), 1_746_000_000],
        ['w2', 'u', 'Torn', '{"history":', 1_746_000_000],
      ],
    });
    const { chats } = await take(database);
    assert.deepEqual(chats, [['# Greeting', 'main *', '  user: "Hello"', '  assistant: "Hi!"'].join('\n')]);
  });
});
