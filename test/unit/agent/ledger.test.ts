import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLedger, ledgerKinds, type LedgerSource } from '../../../src/agent/ledger/ledger.ts';
import { ledgerFacts, type LedgerFact } from '../../../src/agent/ledger/ledgerFacts.ts';
import { loadTokenizer } from '../../../src/engine/estimate/index.ts';
import type { FileVersion, MessageEffects } from '../../../src/engine/effects.ts';
import type { UIMessage, UIMessagePart } from '../../../src/engine/uiMessage.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const source = (facts: readonly LedgerFact[], more: Partial<LedgerSource> = {}): LedgerSource => ({
  facts,
  decided: [],
  points: [],
  kept: [],
  room: { facts: 4_000, kept: 4_000 },
  isForTask: false,
  ...more,
});

const factsIn = (message: Partial<UIMessage>, effects?: MessageEffects): LedgerFact[] =>
  ledgerFacts({
    type: 'message',
    data: { id: 'm', role: 'assistant', parts: [], ...message } as never,
    effects,
  });

const entries = (facts: readonly LedgerFact[]): Record<string, readonly string[]> =>
  Object.fromEntries(createLedger(source(facts)).sections.map(({ kind, entries: all }) => [kind, all]));

const command = (text: string, exitCode: number | undefined, output = '', id = 'c'): UIMessagePart => ({
  type: 'tool-run_command',
  toolCallId: id,
  state: 'output-available',
  input: { command: text },
  output: {
    text: `Exit code.\n\n${output}`,
    details: { id, ...(exitCode === undefined ? {} : { exitCode }) },
  },
});
const refused = (name: string, path: string, errorText: string): UIMessagePart => ({
  type: `tool-${name}`,
  toolCallId: 'r',
  state: 'output-error',
  input: { path },
  errorText,
});
const version = (letter: string): FileVersion => ({ hash: letter.repeat(64), size: 1 });
const changed = (path: string, before: string | null, after: string | null, folder = 'file:///a') => ({
  folder,
  path,
  before: before === null ? null : version(before),
  after: after === null ? null : version(after),
  at: 1,
});

describe('a ledger', () => {
  it('is empty where nothing happened', () => {
    assert.equal(createLedger(source([])).text, '');
  });

  it('lists failed attempts, but none that succeeded later', () => {
    const facts = factsIn({
      parts: [
        command('npm test', 1, 'all fine\nError: no parser\nend'),
        command('npm run lint', 2, 'bad'),
        command('npm test', 0),
        refused('edit_file', 'a.ts', 'The text is not in it.\nLook again.'),
        refused('edit_file', 'b.ts', 'The text is not in it.'),
        {
          type: 'tool-edit_file',
          toolCallId: 'e',
          state: 'output-available',
          input: { path: 'b.ts' },
          output: {},
        },
        refused('read_file', 'c.ts', 'The user stopped the answer before this call ended.'),
      ],
    });
    assert.deepEqual(entries(facts)['attempt'], [
      'npm run lint → exit code 2: bad',
      'edit_file a.ts → The text is not in it. Look again.',
    ]);
  });

  it('knows how a command ended that another call waited for', () => {
    const waits: UIMessagePart = {
      type: 'tool-read_command',
      toolCallId: 'w',
      state: 'output-available',
      input: { id: 'c' },
      output: { text: 'Exit code 3.\n\nport taken', details: { id: 'c', exitCode: 3 } },
    };
    assert.deepEqual(entries(factsIn({ parts: [command('npm start', undefined), waits] }))['attempt'], [
      'npm start → exit code 3: port taken',
    ]);
  });

  it('says what the user did not allow, with the reason', () => {
    const denied: UIMessagePart = {
      type: 'tool-run_command',
      toolCallId: 'd',
      state: 'output-denied',
      input: { command: 'rm -rf build' },
      approval: { id: 'a', approved: false, reason: 'I need the logs.' },
    };
    assert.deepEqual(entries(factsIn({ parts: [denied] }))['decision'], [
      'The user did not allow rm -rf build. Reason: I need the logs.',
    ]);
  });

  it('has the state of files at the end, by folder where there are several, and what was read', () => {
    const read = (path: string): UIMessagePart => ({
      type: 'tool-read_file',
      toolCallId: path,
      state: 'output-available',
      input: { path },
      output: { text: '' },
    });
    const files = [
      changed('new.ts', null, 'a'),
      changed('new.ts', 'a', 'b'),
      changed('gone.ts', 'a', null),
      changed('same.ts', 'a', 'b'),
      changed('same.ts', 'b', 'a'),
      changed('other.ts', 'a', 'b', 'file:///other%20one'),
    ];
    const facts = factsIn({ parts: [read('new.ts'), read('lib.ts'), read('./lib.ts')] }, { files });
    assert.deepEqual(entries(facts), {
      change: ['a/new.ts (created)', 'a/gone.ts (deleted)', 'other one/other.ts (changed)'],
      read: ['lib.ts'],
    });
  });

  it('says which edits the user undid, whole or in part, unless the agent changed the file again', () => {
    const at = (path: string) => ({ folder: 'file:///a', path });
    const files = ['gone.ts', 'half.ts', 'kept.ts', 'again.ts'].map((path) => changed(path, 'a', 'b'));
    const facts = factsIn({}, { files: [...files, changed('made.ts', null, 'c')] });
    const decided = [
      { location: at('gone.ts'), version: version('a'), at: 2 },
      { location: at('half.ts'), version: version('c'), at: 2 },
      { location: at('kept.ts'), version: version('b'), at: 2 },
      { location: at('again.ts'), version: version('a'), at: 0 },
      { location: at('made.ts'), version: null, at: 2 },
    ];
    assert.deepEqual(createLedger(source(facts, { decided })).sections[0]?.entries, [
      'gone.ts (changed, then undone by the user: the file is as it was before)',
      'half.ts (changed, then undone in part by the user)',
      'kept.ts (changed)',
      'again.ts (changed)',
      'made.ts (created, then undone by the user: the file is as it was before)',
    ]);
  });

  it('has the open todos of the last list alone', () => {
    const set = (todos: { title: string; status: 'pending' | 'in_progress' | 'done' }[]): MessageEffects => ({
      state: { set: { todos } },
    });
    const first = factsIn({}, set([{ title: 'Read', status: 'pending' }]));
    const second = factsIn(
      {},
      set([
        { title: 'Read', status: 'done' },
        { title: 'Write', status: 'in_progress' },
      ]),
    );
    assert.deepEqual(entries([...first, ...second]), { todo: ['Write (in progress)'] });
    assert.deepEqual(entries([...first, ...factsIn({}, { state: { deleted: ['todos'] } })]), {});
  });

  it('quotes the user, and neither tasks of the agent nor what a provider made of it', () => {
    const said = { parts: [{ type: 'text' as const, text: 'Always use tabs. Always use tabs. Fix it.' }] };
    assert.deepEqual(entries(factsIn({ role: 'user', ...said })), {
      rule: ['Always use tabs.'],
      request: ['Fix it.'],
    });
    assert.deepEqual(factsIn({ role: 'user', metadata: { explorationTask: { title: 't' } }, ...said }), []);
    assert.deepEqual(factsIn({ role: 'assistant', ...said }), []);
  });

  it('drops what is least needed first, and the oldest of it, and says so', () => {
    const many = Array.from({ length: 60 }, (_, index): LedgerFact[] => [
      { kind: 'rule', text: `Never change file number ${index} of the vendor folder.` },
      { kind: 'request', text: `Add test number ${index} to the suite of the parser.` },
      { kind: 'read', path: `src/some/folder/file-${index}.ts` },
    ]).flat();
    const { sections, text } = createLedger(source(many, { room: { facts: 1_000, kept: 0 } }));
    assert.deepEqual(
      sections.map(({ kind }) => kind),
      ['rule', 'request', 'read'],
    );
    const [rules, , reads] = sections;
    assert.ok((rules?.leftOut ?? 0) < (reads?.leftOut ?? 0), 'rules stay longer');
    assert.match(rules?.entries.at(-1) ?? '', /number 59/);
    assert.match(text, new RegExp(`- \\(${rules?.leftOut} earlier left out\\)`, 'u'));
  });

  it('gives long messages that are kept what short ones leave', () => {
    const kept = [
      { messageId: '1', role: 'user', text: 'The port is 8080.' },
      { messageId: '2', role: 'assistant', text: 'long '.repeat(4_000) },
    ];
    const { text } = createLedger(source([], { kept, room: { facts: 0, kept: 500 } }));
    assert.match(text, /<message role="user">\nThe port is 8080\.\n<\/message>/);
    assert.match(text, /… \[\d+ more characters found no room\]\n<\/message>/);
    assert.ok(text.length < 2_500);
  });

  it('is the same for the same facts, and keeps to its room by a real tokenizer (fuzz)', async () => {
    const count = await loadTokenizer();
    const words = fc.constantFrom(
      'always',
      'Prüfung',
      '文件',
      'src/a/b.ts',
      'テスト',
      '{"a":1}',
      'naïve',
      '👍',
    );
    const said = fc.array(words, { minLength: 1, maxLength: 40 }).map((all) => all.join(' '));
    const fact = fc.oneof(
      said.map((text): LedgerFact => ({ kind: 'rule', text })),
      said.map((text): LedgerFact => ({ kind: 'request', text })),
      said.map((text): LedgerFact => ({ kind: 'decision', text })),
      said.map((path): LedgerFact => ({ kind: 'read', path })),
      said.map((what): LedgerFact => ({ kind: 'attempt', what, problem: 'no' })),
    );
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), fc.integer({ min: 0, max: 1_500 }), (facts, room) => {
        const made = createLedger(source(facts, { room: { facts: room, kept: 0 } }));
        assert.equal(createLedger(source(facts, { room: { facts: room, kept: 0 } })).text, made.text);
        // The frame and its two lines are no facts.
        assert.ok(count(made.text) <= room + 60, `${count(made.text)} of ${room}`);
        assert.ok(made.sections.every(({ kind }) => ledgerKinds.includes(kind)));
      }),
      { numRuns: fuzzRuns(60) },
    );
  });
});
