import assert from 'node:assert/strict';
import { ContextEngine } from '../../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../../src/engine/fragments/index.ts';
import { pathSummaryMessage } from '../../../../src/engine/pathSummary.ts';
import type { UIMessagePart } from '../../../../src/engine/uiMessage.ts';
import type { SessionTurn } from '../../../../src/importExport/exports/sessionExport.ts';
import { sessionTurns } from '../../../../src/importExport/exports/sessionTurns.ts';
import type { SqlContextStore } from '../../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../../fixtures/stores.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('a branch for a session of another program', () => {
  let store: SqlContextStore;
  let engine: ContextEngine;
  beforeEach(() => {
    store = memoryStore();
    engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann', branchNames: 'flat' });
  });
  afterEach(async () => {
    await engine.close();
    await store.close();
  });

  const asked = (id: string, ...parts: UIMessagePart[]) => user({ id, role: 'user', parts });
  const answer = (...parts: UIMessagePart[]) =>
    assistant({ role: 'assistant', parts, metadata: { modelLabel: 'Heron 2' } });
  const text = (said: string): UIMessagePart => ({ type: 'text', text: said });
  const ran = (toolName: string, output: unknown, input: unknown = {}): UIMessagePart => ({
    ...{ type: 'dynamic-tool', toolName, toolCallId: 'same', state: 'output-available' },
    ...{ input, output },
  });

  async function turns(): Promise<readonly SessionTurn[]> {
    await engine.save();
    return (await sessionTurns(await store.exportChat('chat'), 'main', store.blobs)).turns;
  }

  /** Each turn in a line. */
  const lines = (given: readonly SessionTurn[]): string[] =>
    given.map((turn) =>
      turn.role === 'user'
        ? `user: ${turn.text}`
        : `${turn.model ?? ''}: ${[turn.text, ...turn.calls.map((call) => `${call.name} -> ${call.isError ? 'failed: ' : ''}${call.result}`)].join(' | ')}`,
    );

  it('has a turn for each reply of a model, with its calls and their results', async () => {
    engine.set(
      user('Look at it'),
      answer(
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm, private' },
        text('I look.'),
        ran('read_file', { text: 'one\ntwo' }, { path: 'a.ts' }),
        ran('mcp: odd name!', { rows: 2 }),
        { type: 'step-start' },
        {
          ...{ type: 'dynamic-tool', toolName: 'edit', toolCallId: 'same' },
          state: 'output-error',
          input: 'x',
          errorText: 'no',
        },
        text('It failed.'),
        { ...{ type: 'tool-run', toolCallId: 'same', state: 'input-available' }, input: { command: 'ls' } },
      ),
    );
    const found = await turns();
    assert.deepEqual(lines(found), [
      'user: Look at it',
      'Heron 2: I look. | read_file -> one\ntwo | mcp__odd_name_ -> {"rows":2}',
      'Heron 2:  | edit -> failed: no',
      'Heron 2: It failed. | run -> failed: The answer ended before this call had a result.',
    ]);
    const calls = found.flatMap((turn) => (turn.role === 'assistant' ? turn.calls : []));
    assert.deepEqual(
      calls.map(({ id }) => id),
      ['call_1', 'call_2', 'call_3', 'call_4'],
    );
    assert.deepEqual(
      calls.map(({ input }) => input),
      [{ path: 'a.ts' }, {}, {}, { command: 'ls' }],
    );
  });

  it('has pictures with their bytes, names attached files, and leaves reminders out', async () => {
    const hash = await store.blobs.put(Uint8Array.from(Buffer.from(PIXEL, 'base64')));
    const file = { type: 'file', mediaType: 'image/png', url: `offshoot-blob:${hash}` } as const;
    const gone = { ...file, url: `offshoot-blob:${'0'.repeat(64)}` };
    engine.set(
      asked(
        'q1',
        text('What is it?'),
        file,
        gone,
        { type: 'data-attached-file', data: { path: 'src/a.ts', startLine: 2, endLine: 4 } },
        { type: 'text', text: 'secret', providerMetadata: { offshoot: { reminder: true } } },
      ),
      answer(ran('screenshot', { text: 'Taken.', files: [file] }), text('A pixel.')),
    );
    const [question, shot, last] = await turns();
    const pictures = [{ mediaType: 'image/png', base64: PIXEL }];
    assert.equal(question?.text, 'What is it?\n\n[Attached file: src/a.ts, lines 2 to 4]');
    assert.deepEqual(question.role === 'user' && question.pictures, pictures);
    assert.deepEqual(shot?.role === 'assistant' && shot.calls[0]?.pictures, pictures);
    assert.equal(last?.text, 'A pixel.');
  });

  it('has the summary in place of what was compacted, and no other branch', async () => {
    const source = { branch: 'main', headMessageId: null, from: 'q1', to: 'a1', count: 2 };
    const summary = {
      kind: 'compacted',
      text: 'They talked.',
      source,
      writtenAt: '2026-11-27T10:00:00Z',
    } as const;
    engine.set(asked('q1', text('First')), assistant({ id: 'a1', role: 'assistant', parts: [text('One.')] }));
    engine.set(user(pathSummaryMessage('s', summary)), asked('q2', text('Second')), answer(text('Two.')));
    await engine.save();
    await engine.rewind('q2');
    engine.set(user('elsewhere'));
    const found = lines(await turns());
    assert.match(found[0] ?? '', /^user: This conversation has become too long[^]*They talked\./u);
    assert.deepEqual(found.slice(1), ['user: Second', 'Heron 2: Two.']);
  });

  it('begins with a question, also where the conversation does not', async () => {
    await engine.updateChat({ title: 'Herons' });
    engine.set(answer(text('Good day.')));
    const found = await turns();
    assert.deepEqual(lines(found), ['user: Herons', 'Heron 2: Good day.']);
  });

  it('has none where nothing was said', async () => {
    await store.createChat({ id: 'empty', userId: 'ann' });
    const found = await sessionTurns(await store.exportChat('empty'), 'main', store.blobs);
    assert.deepEqual(found, { title: 'Chat', turns: [] });
  });
});
