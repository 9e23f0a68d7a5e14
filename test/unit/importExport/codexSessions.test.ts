import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { Imports } from '../../../src/conversation/imports.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import type { SourceFile } from '../../../src/importExport/importBatch.ts';
import { codex, addCodex } from '../../../src/importExport/programs/codex/codexSession.ts';
import type { SessionPlaces } from '../../../src/importExport/sessionPlaces.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { fixtureFile, outlineOf, reportIn, sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');
const BASE = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('sessions of Codex', () => {
  let store: SqlContextStore;
  let imports: Imports;
  beforeEach(() => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
  });
  afterEach(() => store.close());

  const named = async (wanted: RegExp): Promise<SourceFile[]> => {
    const names = (await readdir('test/fixtures/imports/codex')).filter((name) => wanted.test(name));
    return Promise.all(names.toSorted().map((name, at) => fixtureFile('codex', name, at)));
  };

  const take = async (files: readonly SourceFile[], isWanted: (folder?: string) => boolean = () => true) => {
    const list = imports.list(new AbortController().signal);
    await addCodex(list, files, NOW, isWanted);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    return imports.take(chosen, NOW, new AbortController().signal, () => undefined);
  };

  it('that were forked say that their beginning is missing where it is, and get it later', async () => {
    const alone = await take(await named(/00-01-00-a/u));
    const [chatId = ''] = alone.created;
    assert.equal(
      await outlineOf(store, chatId),
      ['# Other way.', 'main *', '  user: "Other way."', '  assistant: "Answer to other way."'].join('\n'),
    );
    assert.deepEqual(reportIn(alone.leftOut), [
      'Beginnings of sessions, which are in files that were not read: 1',
    ]);
    const together = await take(await named(/-aaaaaaaa-/u));
    assert.deepEqual([together.created, together.extended], [[], [{ chatId, messages: 2 }]]);
    const outline = await outlineOf(store, chatId);
    assert.equal(outline.match(/"Other way\."/gu)?.length, 1, outline);
  });

  it('that continue each other are one chat, also where only one of them was for the workspace', async () => {
    const files = await named(/-aaaaaaaa-/u);
    const other = await named(/-cccccccc-/u);
    const elsewhere = sourceFile(
      files[1]?.name ?? '',
      (await textIn(files[1])).replace('/tmp/p', '/other'),
      1,
    );
    const { created } = await take(
      [...files.slice(0, 1), elsewhere, ...files.slice(2), ...other],
      (folder) => folder === '/other',
    );
    assert.equal(created.length, 1);
    assert.match(await outlineOf(store, created[0] ?? ''), /First\.[^]*Other way\./u);
  });

  it('say which answers the user stopped', async () => {
    const { created } = await take(await named(/-dddddddd-/u));
    const { messages } = await store.exportChat(created[0] ?? '');
    const stopped = messages.filter(({ data }) => JSON.stringify(data).includes('"status":"interrupted"'));
    assert.deepEqual(
      stopped.map(({ data }) => readUIMessage(data)?.parts),
      [[{ type: 'text', text: 'I begin.' }]],
    );
  });

  it('of agents follow their calls, although an agent begins before its call has a result', async () => {
    const { created } = await take(await named(/-bbbbbbbb-/u));
    const { messages, branches } = await store.exportChat(created[0] ?? '');
    const times: number[] = [];
    const head = branches.find(({ name }) => name === 'sidechain')?.headMessageId ?? null;
    for (let at = head; at !== null;) {
      const message = messages.find(({ id }) => id === at);
      if (message) times.unshift(message.createdAt);
      at = message?.parentId ?? null;
    }
    assert.equal(times.length, 4);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
  });

  it('that name each other as their beginnings are read all the same', async () => {
    const [one = '', other = ''] = await Promise.all((await named(/00-0[01]-00-a/u)).map(textIn));
    const meta = (id: string, from: string) => (_all: string, start: string) =>
      `${start}"history_base":{"thread_id":"${from}","end_ordinal_exclusive":9},"id":"${id}"`;
    const second = BASE.replace(/1$/u, '2');
    const files = [
      sourceFile(`rollout-${BASE}.jsonl`, one.replace(/(.*?"payload":\{)"id":"[^"]*"/u, meta(BASE, second))),
      sourceFile(
        `rollout-${second}.jsonl`,
        other
          .replace(/,"history_base":\{[^}]*\}/u, '')
          .replace(/(.*?"payload":\{)"id":"[^"]*"/u, meta(second, BASE)),
        1,
      ),
    ];
    const { created, leftOut } = await take(files);
    assert.match(await outlineOf(store, created[0] ?? ''), /First\.[^]*Other way\./u);
    assert.match(reportIn(leftOut).join(), /Beginnings of sessions/u);
  });

  it('are found by day and in the archive, with the names that the user gave them', async () => {
    const folders: Readonly<Record<string, readonly SourceFile[]>> = {
      '/codex': [
        sourceFile(
          'session_index.jsonl',
          [
            { id: BASE, thread_name: 'First name', updated_at: '2026-01-01T00:00:00Z' },
            { id: BASE, thread_name: 'Last name', updated_at: '2026-01-02T00:00:00Z' },
            { cut: true },
          ]
            .map((record) => JSON.stringify(record))
            .join('\n'),
        ),
      ],
      '/codex/sessions/2026/01/01': await named(/00-00-00-a/u),
      '/codex/archived_sessions': await named(/00-10-00-c/u),
    };
    const places: SessionPlaces = {
      folders: ['/tmp/p'],
      vsCode: { sessions: '/none', storageOf: () => '/none' },
      userFolder: (_folder, ...inside) => ['/codex', ...inside].join('/'),
      list: (folder, ...below) => {
        const at = [folder, ...below].join('/');
        const inside = Object.keys(folders).filter((name) => name.startsWith(`${at}/`));
        const names = inside.map((name) => name.slice(at.length + 1).split('/')[0] ?? '');
        return Promise.resolve({ files: folders[at] ?? [], folders: [...new Set(names)] });
      },
    };
    const list = imports.list(new AbortController().signal);
    await codex.find?.({ places, list, now: NOW });
    const titles = list.batches.flatMap(({ found }) => found.map(({ title }) => title));
    assert.deepEqual([list.unread, titles.toSorted()], [[], ['Last name', 'One.']]);
  });
});

async function textIn(file: SourceFile | undefined): Promise<string> {
  let text = '';
  for await (const chunk of file?.chunks() ?? []) text += new TextDecoder().decode(chunk);
  return text;
}
