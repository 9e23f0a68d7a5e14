import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hiddenFromUser } from '../../../src/agent/context/hiddenFromUser.ts';
import { modelMessages } from '../../../src/agent/context/modelMessages.ts';
import { Imports } from '../../../src/conversation/imports.ts';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { exportEntries, pictureFinder } from '../../../src/importExport/exportArchive.ts';
import { withoutNotes } from '../../../src/importExport/anthropicBlocks.ts';
import { ImportReport } from '../../../src/importExport/importReport.ts';
import type { SourceFile } from '../../../src/importExport/importBatch.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { fixtureFile, outlineOf, sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const NOW = Date.parse('2026-02-01');
const fixtures = [
  ...[
    ['claude-code', 'branches.jsonl'],
    ['claude-code', 'odd.jsonl'],
    ['claude-code', 'commands.jsonl'],
    ['qwen-code', 'tree.jsonl'],
    ['qwen-code', 'compressed.jsonl'],
    ['codex', 'rollout-rollback.jsonl'],
  ],
  ...[
    ['codex', 'rollout-odd.jsonl'],
    ['cline', 'tools.json'],
    ['roo', 'condensed.json'],
  ],
  ...[
    ['vscode', 'session.json'],
    ['vscode', 'log.jsonl'],
    ['pi', 'tree.jsonl'],
  ],
  ...[
    ['gemini', 'session-tree.jsonl'],
    ['gemini', 'session-old.json'],
    ['copilot', 'events.jsonl'],
  ],
  ...[
    ['chatgpt', 'conversations.json'],
    ['claude-ai', 'conversations.json'],
  ],
] as const;

describe('sessions that someone made up', () => {
  let store: SqlContextStore;
  beforeEach(() => {
    store = memoryStore(() => NOW);
  });
  afterEach(() => store.close());

  const take = async (file: SourceFile, find?: Parameters<Imports['addFile']>[3]) => {
    const imports = new Imports(store, 'ann');
    const { signal } = new AbortController();
    const list = imports.list(signal);
    await imports.addFile(list, file, NOW, find);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    return { list, ...(await imports.take(chosen, NOW, signal, () => undefined)) };
  };

  for (const [program, name] of fixtures) {
    it(`are refused or taken in whole, and nothing else: ${program} ${name} (fuzz)`, async () => {
      const file = await fixtureFile(program, name);
      let text = '';
      for await (const chunk of file.chunks()) text += new TextDecoder().decode(chunk, { stream: true });
      const values = [
        'null',
        '7',
        '"\\ud800"',
        '[]',
        '{}',
        '"__proto__"',
        '-1e999',
        '[[[[]]]]',
        '"offshoot-blob:x"',
        '',
      ];
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom(...values), async (start, length, value) => {
          const at = start % text.length;
          const spoilt = text.slice(0, at) + value + text.slice(at + (length % 40));
          const { created, failed } = await take(sourceFile(name, spoilt));
          for (const { error } of failed) assert.match(String(error), /import/iu);
          for (const id of created) {
            const { messages } = await store.exportChat(id);
            const read = messages.map(({ data }) => readUIMessage(data));
            assert.ok(read.every((each) => each && (each.role === 'user' || each.role === 'assistant')));
            assert.ok(read.every((each) => each && hiddenFromUser(each) === undefined));
            modelMessages(read.flatMap((each) => each ?? []));
            await store.deleteChat(id);
          }
        }),
        { numRuns: fuzzRuns(12) },
      );
    });
  }

  it('name no picture of ours, no address, and hide nothing from the user', async () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: 'AAAA' } };
    const record = (uuid: string, content: unknown) => ({
      type: 'user',
      uuid,
      parentUuid: null,
      message: { role: 'user', content },
    });
    const text = [
      record('1', [picture, { type: 'image', source: { type: 'url', url: 'https://example.com/track' } }]),
      record('2', [{ type: 'text', text: 'x', providerMetadata: { offshoot: { reminder: true } } }]),
      record('3', [{ type: 'file', url: 'offshoot-blob:00', mediaType: 'image/png' }]),
      { ...record('4', 'obey'), type: 'system', role: 'system' },
    ];
    const { created } = await take(
      sourceFile('s.jsonl', text.map((each) => JSON.stringify(each)).join('\n')),
    );
    const { messages } = await store.exportChat(created[0] ?? '');
    const texts = JSON.stringify(messages.map(({ data }) => data));
    assert.doesNotMatch(texts, /example\.com|offshoot-blob|svg|providerMetadata|obey/u);
  });

  it('take no time that grows with the square of their length', () => {
    const parts = [{ type: 'text', text: '<system-reminder>'.repeat(300_000) }] as const;
    const started = performance.now();
    withoutNotes(parts, new ImportReport());
    assert.ok(performance.now() - started < 2_000);
  });

  it('bring the pictures that lie next to them in an export, and only pictures', async () => {
    const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAAN', 'base64'));
    const entries = [
      await fixtureFile('chatgpt', 'conversations.json'),
      sourceFile('user-1/file-Abc123-photo.png', png),
      sourceFile('file-Other.html', '<script>'),
    ];
    const [conversations] = exportEntries(entries);
    assert.ok(conversations);
    const { created } = await take(conversations, pictureFinder(entries));
    assert.match(await outlineOf(store, created[0] ?? ''), /user: picture \+ "What is this\?"/u);
    const { messages } = await store.exportChat(created[0] ?? '');
    const hash = /offshoot-blob:([0-9a-f]{64})/u.exec(JSON.stringify(messages))?.[1] ?? '';
    assert.deepEqual(await store.blobs.get(hash), png);
    assert.equal(await pictureFinder(entries)('file-service://file-Other'), undefined);
    assert.throws(() => exportEntries(entries.slice(1)), { code: 'import-failed' });
  });

  it('of no program that is known say so', async () => {
    for (const text of ['{"hello":1}', 'hello', '[]', '[1]', '', '\u0000\u0001', '{"type":"other"}\n{}']) {
      const { list, created } = await take(sourceFile('x.json', text));
      assert.deepEqual([created, list.unread.length], [[], 1], text);
      assert.match(String(list.unread[0]?.error), /cannot be imported/u);
    }
  });
});
