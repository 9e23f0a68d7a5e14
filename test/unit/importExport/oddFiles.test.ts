import assert from 'node:assert/strict';
import { readUIMessage } from '../../../src/engine/uiMessage.ts';
import { Imports } from '../../../src/conversation/imports.ts';
import type { SourceFile } from '../../../src/importExport/importBatch.ts';
import { claudeFolder } from '../../../src/importExport/programs/claudeCodePlaces.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { fixtureFile, outlineOf, reportIn, sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');
const MB = 1024 * 1024;
const PNG = 'iVBORw0KGgoAAAAN';

const lines = (...records: readonly unknown[]): string =>
  records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n');

/** A message of Claude Code. */
const said = (
  uuid: string,
  parentUuid: string | null,
  type: 'user' | 'assistant',
  content: unknown,
  more = {},
) => ({
  ...{ type, uuid, parentUuid, sessionId: 's', isSidechain: false, timestamp: '2026-01-01T00:00:00.000Z' },
  ...{ message: { role: type, content, ...(type === 'assistant' ? { model: 'm' } : {}) } },
  ...more,
});

const piHeader = {
  type: 'session',
  version: 3,
  id: 'pi-session',
  timestamp: '2026-01-01T00:00:00.000Z',
  cwd: '/x',
};
const piSaid = (id: string, parentId: string | null, role: string, content: unknown, more = {}) => ({
  ...{ type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z' },
  message: { role, content, ...more },
});

/** A file in large pieces, which are made each time that it is read. */
function largeFile(name: string, pieces: () => Iterable<string>): SourceFile {
  let size = 0;
  for (const piece of pieces()) size += Buffer.byteLength(piece);
  return {
    name,
    size,
    changedAt: 0,
    chunks: async function* () {
      for (const piece of pieces()) yield await Promise.resolve(Buffer.from(piece));
    },
  };
}

describe('odd files of other programs', () => {
  let store: SqlContextStore;
  let imports: Imports;
  beforeEach(() => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
  });
  afterEach(() => store.close());

  const take = async (...files: readonly SourceFile[]) => {
    const { signal } = new AbortController();
    const list = imports.list(signal);
    for (const file of files) await imports.addFile(list, file, NOW);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    const outcome = await imports.take(chosen, NOW, signal, () => undefined);
    assert.deepEqual(outcome.failed, []);
    return {
      ...outcome,
      unread: list.unread.map(({ name, error }) => `${name}: ${String(error)}`),
      report: reportIn(outcome.leftOut),
      outlines: await Promise.all(outcome.created.map((id) => outlineOf(store, id))),
    };
  };
  const messagesOf = async (id = '') => (await store.exportChat(id)).messages;

  it('with cut lines are read as far as they read, and each line is said', async () => {
    const whole = said('c', 'b', 'user', 'third');
    const text = lines(
      said('a', null, 'user', 'first'),
      JSON.stringify(said('b', 'a', 'assistant', 'second')).slice(0, 90),
      whole,
      said('d', 'c', 'assistant', 'fourth'),
      JSON.stringify(said('e', 'd', 'user', 'fifth')).slice(0, 50),
    );
    const { outlines, report } = await take(sourceFile('cut.jsonl', text));
    assert.match(outlines.join('\n'), /user: "third"\n {2}assistant \[m\]: "fourth"/u);
    assert.match(outlines.join('\n'), /user: "first"/u);
    assert.ok(
      report.includes('Lines that are not JSON, or are too long or nested too deep: 1 (cut.jsonl:2)'),
    );
    assert.ok(report.includes('A last line that was cut off: 1 (cut.jsonl:5)'));
  });

  it('with clocks that jump stay in the order in which they were said', async () => {
    const times = ['2026-01-02T00:00:00Z', '1999-01-01T00:00:00Z', '2400-01-01T00:00:00Z', '', 'x', '-5'];
    const records = times.map((timestamp, at) =>
      said(`${at}`, at === 0 ? null : `${at - 1}`, at % 2 === 0 ? 'user' : 'assistant', `${at}`, {
        timestamp,
      }),
    );
    const { created, outlines } = await take(sourceFile('clock.jsonl', lines(...records)));
    assert.equal(outlines[0]?.replaceAll(/\D/gu, ''), '0012345'.replace('00', '00'));
    for (const { createdAt } of await messagesOf(created[0])) assert.ok(createdAt >= 0 && createdAt <= NOW);
  });

  it('of mixed versions and programs in one folder are read each as what it is', async () => {
    const names = [
      ['pi', 'oldest.jsonl'],
      ['pi', 'tree.jsonl'],
      ['codex', 'rollout-old.jsonl'],
      ['codex', 'rollout-rollback.jsonl'],
      ['claude-code', 'branches.jsonl'],
      ['vscode', 'log.jsonl'],
      ['cline', 'tools.json'],
    ] as const;
    const known = await Promise.all(names.map(([program, name]) => fixtureFile(program, name)));
    const others = [sourceFile('notes.txt', 'notes'), sourceFile('state.jsonl', '{"a":1}\n{"b":2}')];
    const { created, unread } = await take(...known, ...others);
    assert.equal(created.length, known.length);
    assert.equal(unread.length, others.length);
  });

  it('of two programs in one are read as the first, and the lines of the other are said', async () => {
    const text = lines(
      piHeader,
      piSaid('1', null, 'user', 'asked in pi'),
      said('a', null, 'user', 'asked in Claude Code'),
      piSaid('2', '1', 'assistant', [{ type: 'text', text: 'answered in pi' }]),
    );
    const { outlines, report } = await take(sourceFile('two.jsonl', text));
    assert.deepEqual(outlines[0]?.split('\n').slice(1), [
      'main *',
      '  user: "asked in pi"',
      '  assistant: "answered in pi"',
    ]);
    assert.deepEqual(report, ['Records of an unknown kind: 1 (two.jsonl:3)']);
  });

  it('with emoji and other characters in their paths and names are found and named', async () => {
    const name = '🦉 “owl”\u202e\n.jsonl';
    const { report, outlines } = await take(
      sourceFile(name, lines(piHeader, piSaid('1', null, 'user', '🦉'), '{')),
    );
    assert.match(outlines.join(), /user: "🦉"/u);
    assert.deepEqual(report, [`A last line that was cut off: 1 (${name}:3)`]);
    // As Claude Code 2.1.197 named them.
    assert.equal(claudeFolder('/tmp/x/🦉 proj'), '-tmp-x----proj');
    const long = `/tmp/tmp.If0NOIi1kV/${'very-long-folder-name-'.repeat(11)}/p`;
    assert.equal(claudeFolder(long), `${long.replaceAll(/[^a-z0-9]/giu, '-').slice(0, 200)}-a01k9j`);
  });

  it('with NUL bytes lose no record to them', async () => {
    const nothing = '\0'.repeat(4_096);
    const text = lines(
      said('a', null, 'user', 'before\0 it'),
      `${nothing}${JSON.stringify(said('b', 'a', 'assistant', 'after'))}`,
      `${JSON.stringify(said('c', 'b', 'user', 'last'))}${nothing}`,
      nothing,
    );
    const { created, report, outlines } = await take(sourceFile('nul.jsonl', text));
    assert.equal((await messagesOf(created[0])).length, 3, outlines.join('\n'));
    assert.deepEqual(report, []);
  });

  it('with results of tools of 10 MB keep them whole', async () => {
    const output = 'x'.repeat(10 * MB);
    const text = lines(
      said('a', null, 'user', 'read it'),
      said('b', 'a', 'assistant', [{ type: 'tool_use', id: 't', name: 'Read', input: {} }]),
      said('c', 'b', 'user', [{ type: 'tool_result', tool_use_id: 't', content: output }]),
      said('d', 'c', 'assistant', 'Read.'),
    );
    const { created } = await take(largeFile('long.jsonl', () => [text]));
    const data = (await messagesOf(created[0])).map((each) => readUIMessage(each.data));
    const results = data
      .flatMap((each) => each?.parts ?? [])
      .flatMap((part) => ('output' in part ? [part.output] : []));
    assert.deepEqual(
      results.map((result) => String(result).length),
      [10 * MB],
    );
  });

  it('with a picture of 12 MB in base64 keep it as a picture', async () => {
    const data = `${PNG}${'A'.repeat(12 * MB)}`;
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const texts = {
      'claude.jsonl': lines(said('a', null, 'user', [picture, { type: 'text', text: 'see' }])),
      'pi.jsonl': lines(
        piHeader,
        piSaid('1', null, 'user', [{ type: 'image', data, mimeType: 'image/png' }]),
      ),
    };
    for (const [name, text] of Object.entries(texts)) {
      const { created, report, unread } = await take(largeFile(name, () => [text]));
      assert.deepEqual(unread, []);
      const [message] = await messagesOf(created[0]);
      const [, hash = ''] = /"offshoot-blob:([0-9a-f]{64})"/u.exec(JSON.stringify(message?.data)) ?? [];
      assert.equal((await store.blobs.get(hash))?.byteLength, (data.length / 4) * 3, name);
      assert.deepEqual(report, []);
    }
  });

  it('of 200 MB, most of it bookkeeping, are read without a copy of each line in memory', async function () {
    this.timeout(120_000);
    const snapshot = `${JSON.stringify({ type: 'file-history-snapshot', snapshot: 'y'.repeat(MB) })}\n`;
    const count = 200;
    const file = largeFile('large.jsonl', function* () {
      for (let at = 0; at < count; at++) {
        yield snapshot;
        const parent = at === 0 ? null : `${at - 1}`;
        yield `${JSON.stringify(said(`${at}`, parent, at % 2 === 0 ? 'user' : 'assistant', `${at}`))}\n`;
      }
    });
    assert.ok(file.size > 200 * MB);
    const { rss } = process.memoryUsage();
    const { created, report } = await take(file);
    const grown = Math.round((process.memoryUsage().rss - rss) / MB);
    assert.equal((await messagesOf(created[0])).length, count);
    assert.deepEqual(report, [
      `Settings, states and other bookkeeping, which belong to the program: ${count}`,
    ]);
    // The text twice, since its last reading may not have been released yet, and as much again.
    assert.ok(grown < 800, `${grown} MB`);
  });

  it('larger than what is read as a whole are refused with their size, and the others are not', async () => {
    const huge: SourceFile = {
      ...sourceFile('huge.jsonl', lines(said('a', null, 'user', 'first'))),
      size: 300 * MB,
    };
    const { created, unread } = await take(
      huge,
      sourceFile('small.jsonl', lines(said('a', null, 'user', 'x'))),
    );
    assert.equal(created.length, 1);
    assert.match(unread.join(), /^huge\.jsonl: .*huge\.jsonl is larger than 256 MB/u);
  });
});
