import assert from 'node:assert/strict';
import { Imports } from '../../../src/conversation/imports.ts';
import { compactionOf } from '../../../src/engine/sentPath.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { addPi, pi } from '../../../src/importExport/programs/piSession.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { outlineOf, reportIn, sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');
const PROJECT = '/home/ann/birds';

describe('sessions of pi', () => {
  let store: SqlContextStore;
  let imports: Imports;
  beforeEach(() => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
  });
  afterEach(() => store.close());

  const header = (id: string, cwd = PROJECT) => ({ type: 'session', version: 3, id, cwd });
  const entry = (type: string, id: number, parentId: number | null, more: object) => ({
    ...{ type, id: String(id), parentId: parentId === null ? null : String(parentId) },
    ...{ timestamp: new Date(NOW - 100_000 + 1_000 * id).toISOString(), ...more },
  });
  const said = (id: number, parentId: number | null, role: string, content: unknown, more = {}) =>
    entry('message', id, parentId, { message: { role, content, ...more } });
  const session = (name: string, ...entries: readonly object[]) =>
    sourceFile(`${name}.jsonl`, entries.map((each) => JSON.stringify(each)).join('\n'));

  const take = async (...files: readonly ReturnType<typeof session>[]) => {
    const list = imports.list(new AbortController().signal);
    await addPi(list, files, NOW);
    assert.deepEqual(list.unread, []);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    return imports.take(chosen, NOW, new AbortController().signal, () => undefined);
  };
  const outline = async (id = ''): Promise<string[]> => (await outlineOf(store, id)).split('\n');

  it('that were forked from each other are one chat, and a later fork is added to it', async () => {
    const start = [said(1, null, 'user', 'One'), said(2, 1, 'assistant', 'First')];
    const parent = session('a', header('a'), ...start, said(3, 2, 'user', 'Two'));
    const fork = session('b', header('b'), ...start, said(4, 2, 'user', 'Other'));
    const other = session('c', header('c'), said(9, null, 'user', 'Elsewhere'));
    // The fork comes first: names and times of files say nothing of where the user was last.
    const { created } = await take(fork, parent);
    assert.equal(created.length, 1);
    const expected = [
      '# One',
      'main *',
      '  user: "One"',
      '  assistant: "First"',
      '  user: "Other"',
      'main-v2',
      '  ..',
      '  user: "Two"',
    ];
    assert.deepEqual(await outline(created[0]), expected);
    const late = session('d', header('d'), ...start, said(6, 2, 'user', 'Third'));
    const again = await take(parent, late, fork);
    assert.deepEqual([again.created, again.extended], [[], [{ chatId: created[0], messages: 1 }]]);
    assert.equal((await take(parent, other)).created.length, 1);
  });

  it('have what was compacted folded, with what is still sent', async () => {
    const { created } = await take(
      session(
        'a',
        header('a'),
        said(1, null, 'user', 'One'),
        said(2, 1, 'assistant', 'First'),
        entry('thinking_level_change', 3, 2, {}),
        said(4, 3, 'user', 'Two'),
        said(5, 4, 'assistant', 'Second'),
        // A setting before the question that is kept.
        entry('compaction', 6, 5, { summary: 'They said one.', firstKeptEntryId: '3' }),
        said(7, 6, 'user', 'Three'),
      ),
    );
    const { messages } = await store.exportChat(created[0] ?? '');
    const [one, first, two, second, fold] = messages;
    const read = fold && readUIMessage(fold.data);
    assert.ok(one && first && two && second && read);
    assert.deepEqual(compactionOf(read), { to: second.id, kept: [two.id, second.id] });
  });

  it('mark what the user stopped, and count instructions as bookkeeping', async () => {
    const { created, leftOut } = await take(
      session(
        'a',
        header('a'),
        said(1, null, 'system', '', { sections: { preamble: 'Be good.' } }),
        said(2, 1, 'user', 'One'),
        said(3, 2, 'assistant', [{ type: 'text', text: 'Fir' }], { model: 'm', stopReason: 'aborted' }),
        entry('usage', 4, 3, { kind: 'cache_warm' }),
        entry('context_edit', 5, 4, { targetId: '3', replacement: null }),
      ),
    );
    const { messages } = await store.exportChat(created[0] ?? '');
    assert.match(JSON.stringify(messages.at(-1)?.data), /"status":"interrupted"/u);
    const kept = 'Settings, states and other bookkeeping, which belong to the program: 3';
    assert.deepEqual([messages.length, reportIn(leftOut)], [2, [kept]]);
  });

  it('have no names of pictures in questions and titles, and pictures of tools in their results', async () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const { created } = await take(
      session(
        'a',
        header('a'),
        said(1, null, 'user', [
          {
            type: 'text',
            text: '<file name="/a.png"></file>\n<file name="/b.png">[Image: original 9x9.]</file>\nWhich bird?',
          },
          picture,
        ]),
        said(2, 1, 'assistant', [{ type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a.png' } }]),
        said(3, 2, 'toolResult', [{ type: 'text', text: 'A picture.' }, picture], {
          toolCallId: 'c',
          toolName: 'read',
        }),
        said(4, 3, 'user', '<file name="/notes.txt">\nHerons\n</file>\nAnd this?'),
      ),
    );
    const lines = await outline(created[0]);
    assert.deepEqual(lines.slice(0, 3), ['# Which bird?', 'main *', '  user: "Which bird?" + picture']);
    assert.match(
      lines[3] ?? '',
      /^ {2}assistant: read\(\{"path":"a.png"\}\) -> .*offshoot-blob:.*"text":"A picture."/u,
    );
    // A text that goes with a question is a part of it.
    assert.equal(lines[4], String.raw`  user: "<file name=\"/notes.txt\">\nHerons\n</file>\nAnd this?"`);
  });

  it('are found where the user has them all in one folder, by the folder each was for', async () => {
    const list = imports.list(new AbortController().signal);
    const files = [
      session('here', header('here', PROJECT), said(1, null, 'user', 'Here')),
      session('there', header('there', '/home/ann/other'), said(1, null, 'user', 'There')),
    ];
    await pi.find?.({
      places: {
        folders: [PROJECT],
        vsCode: { sessions: '/none', storageOf: () => '/none' },
        userFolder: ({ variable, below }) =>
          variable === 'PI_CODING_AGENT_SESSION_DIR' ? '/sessions' : ['', ...below].join('/'),
        list: (folder) => Promise.resolve({ files: folder === '/sessions' ? files : [], folders: [] }),
      },
      list,
      now: NOW,
    });
    assert.deepEqual(
      list.batches.flatMap(({ found }) => found.map(({ title }) => title)),
      ['Here'],
    );
  });
});
