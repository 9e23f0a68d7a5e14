import assert from 'node:assert/strict';
import { importFile, importWithReport, type Imported } from '../../../src/importExport/importFile.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';

describe('what other programs exported', () => {
  let store: SqlContextStore;
  beforeEach(() => {
    store = memoryStore();
  });
  afterEach(() => store.close());

  const take = async (text: string): Promise<string> => {
    const [id = ''] = await importFile(store, 'ann', new TextEncoder().encode(text), 9_000);
    return id;
  };
  const takeWithReport = (text: string): Promise<Imported> =>
    importWithReport(store, 'ann', new TextEncoder().encode(text), Date.parse('2026-01-01'));
  const counts = ({ leftOut }: Imported) => leftOut.map(({ what, count }) => [what.template, count]);
  const texts = async (id: string, head?: string): Promise<string[]> => {
    const { nodes, branches } = await store.getGraph(id);
    const end = head ?? branches.find(({ isActive }) => isActive)?.headMessageId ?? '';
    const contents = new Map(nodes.map((node) => [node.id, `${node.role}: ${node.content}`]));
    return (await store.getPath(id, end)).map((message) => contents.get(message.id) ?? '');
  };
  const lines = (...entries: unknown[]): string => entries.map((entry) => JSON.stringify(entry)).join('\n');
  const entry = (id: string, parentId: string | null, role: string, content: unknown, more = {}) => ({
    type: 'message',
    id,
    parentId,
    timestamp: '2025-01-01T00:00:00.000Z',
    message: { role, content, ...more },
  });

  describe("VS Code's chat", () => {
    it('is read with what was asked, answered and thought, in order', async () => {
      const id = await take(
        JSON.stringify({
          responderUsername: 'Someone',
          initialLocation: 'panel',
          requests: [
            {
              requestId: 'r1',
              message: { text: 'What is it?\nReally', parts: [{ text: 'What is it?' }] },
              variableData: { variables: [] },
              timestamp: 1_000,
              response: [
                { kind: 'mcpServersStarting', didStartServerIds: [] },
                { kind: 'thinking', value: 'Hm.', id: 't' },
                { value: 'It is ', isTrusted: false },
                { kind: 'inlineReference', name: 'x.ts', inlineReference: { path: '/x.ts' } },
                { value: '.\ud800' },
                { kind: 'toolInvocationSerialized', pastTenseMessage: { value: 'Read a file' } },
                { kind: 'somethingNew', what: [1] },
              ],
            },
            { requestId: 'r2', message: 'and then?', timestamp: 2_000, isCanceled: true },
          ],
        }),
      );
      const chat = await store.getChat(id);
      assert.deepEqual([chat?.title, chat?.createdAt, chat?.updatedAt], ['What is it?', 1_000, 2_000]);
      assert.deepEqual(await texts(id), [
        'user: What is it?\nReally',
        'assistant: It is `x.ts`.\ufffd\n\n_Read a file_\n\n',
        'user: and then?',
      ]);
      const [, answer] = (await store.getGraph(id)).nodes;
      const stored = await store.getMessage(id, answer?.id ?? '');
      assert.match(JSON.stringify(stored?.data), /"reasoning","text":"Hm\."/);
    });

    it('without anything said is an empty chat', async () => {
      const id = await take('{"requests":[],"responderUsername":"x"}');
      assert.deepEqual((await store.getGraph(id)).branches, [
        { name: 'main', headMessageId: null, isActive: true },
      ]);
    });

    it('has no times that are made up', async () => {
      const requests = [1e300, -5, 'x', 2_000].map((timestamp) => ({ message: 'a', timestamp }));
      const { messages } = await store.exportChat(await take(JSON.stringify({ requests })));
      assert.deepEqual(
        messages.map(({ createdAt }) => createdAt),
        [9_000, 0, 9_000, 2_000],
      );
    });

    it('with a fault is refused with its place', async () => {
      const importing = take('{"requests":[{"message":{"text":"a"}},{"message":7}]}');
      await assert.rejects(importing, { code: 'import-failed', message: /the file\.requests\[1\]\.message/ });
      assert.deepEqual(await store.listChats(), []);
    });
  });

  describe('a session of pi', () => {
    const header = { type: 'session', version: 3, id: 's', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/x' };

    it('is read as the tree it is, with its labels, and goes on where it was', async () => {
      const id = await take(
        lines(
          header,
          entry('1', null, 'user', 'one'),
          { type: 'model_change', id: '2', parentId: '1', provider: 'p', modelId: 'm' },
          entry('3', '2', 'assistant', [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'first' },
            { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } },
          ]),
          entry('4', '3', 'toolResult', [{ type: 'text', text: 'contents' }], {
            toolCallId: 'c1',
            toolName: 'read',
            isError: false,
          }),
          entry('5', '4', 'user', [{ type: 'text', text: 'two' }]),
          { type: 'label', id: '6', parentId: '5', targetId: '3', label: 'good\n' },
          { type: 'branch_summary', id: '7', parentId: '4', fromId: '5', summary: 'tried two' },
          entry('8', '7', 'user', 'three'),
          { type: 'session_info', id: '9', parentId: '8', name: 'My session' },
          entry('10', '9', 'bashExecution', undefined, { command: 'ls' }),
        ),
      );
      const { branches, checkpoints, nodes } = await store.getGraph(id);
      assert.deepEqual(
        branches.map(({ name, isActive }) => [name, isActive]),
        [
          ['main', true],
          ['main-v2', false],
        ],
      );
      assert.equal((await store.getChat(id))?.title, 'My session');
      assert.deepEqual(await texts(id), [
        'user: one',
        'assistant: first',
        'assistant: ',
        'assistant: tried two',
        'user: three',
        'user: ```console\n$ ls\n```',
      ]);
      assert.equal((await texts(id, branches[1]?.headMessageId ?? '')).at(-1), 'user: two');
      assert.deepEqual(checkpoints, [{ name: 'good', messageId: nodes[1]?.id }]);
      const tool = await store.getMessage(id, nodes[2]?.id ?? '');
      assert.match(JSON.stringify(tool?.data), /"input":\{"path":"a"\}.*"output":"contents"/);
      assert.deepEqual(
        new Set((await store.getPath(id, nodes[2]?.id ?? '')).map((m) => m.invocationId)).size,
        1,
      );
    });

    it('of the oldest kind, without a tree, is read line by line', async () => {
      const flat = ({ id: _, parentId: __, ...rest }: Record<string, unknown>) => rest;
      const id = await take(
        lines(flat(header), flat(entry('', null, 'user', 'a')), flat(entry('', null, 'assistant', 'b'))),
      );
      assert.deepEqual(await texts(id), ['user: a', 'assistant: b']);
    });

    it('keeps the last label of each entry, and none where it was taken away', async () => {
      const mark = (id: string, targetId: string, label?: string) => ({
        type: 'label',
        id,
        parentId: null,
        targetId,
        timestamp: '2025-01-02T00:00:00.000Z',
        ...(label === undefined ? {} : { label }),
      });
      const id = await take(
        lines(
          header,
          entry('1', null, 'user', 'a'),
          entry('2', '1', 'user', 'b'),
          mark('3', '1', 'first'),
          mark('4', '2', 'gone'),
          mark('5', '1', 'second'),
          mark('6', '2'),
          mark('7', '2', ' '),
        ),
      );
      const { checkpoints, nodes } = await store.getGraph(id);
      assert.deepEqual(checkpoints, [{ name: 'second', messageId: nodes[0]?.id }]);
    });

    it('has the last name it was given, and none where that was taken away', async () => {
      const info = (id: string, name?: string) => ({ type: 'session_info', id, parentId: '1', name });
      const question = entry('1', null, 'user', 'a');
      const named = await take(lines(header, question, info('2', 'One'), info('3', 'Two')));
      assert.equal((await store.getChat(named))?.title, 'Two');
      const cleared = await take(lines(header, question, info('2', 'One'), info('3')));
      assert.equal((await store.getChat(cleared))?.title, 'a');
    });

    it('comes with what extensions said, commands of the user, and pictures of tools, which are kept as pictures', async () => {
      const imported = await takeWithReport(
        lines(
          header,
          entry('1', null, 'user', 'a'),
          {
            type: 'custom_message',
            id: '2',
            parentId: '1',
            customType: 'x',
            content: 'be nice',
            display: false,
          },
          entry('3', '2', 'custom', [{ type: 'text', text: 'and kind' }]),
          entry('4', '3', 'bashExecution', undefined, { command: 'ls', output: 'x\ny\n', exitCode: 1 }),
          entry('5', '4', 'bashExecution', undefined, {
            command: 'env',
            output: 'K=V',
            excludeFromContext: true,
          }),
          entry('6', '5', 'toolResult', [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], {
            toolCallId: 'c',
            toolName: 'shot',
          }),
          entry('7', '6', 'user', [
            { type: 'image', data: '%', mimeType: 'image/png' },
            { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
            { type: 'text', text: 'end' },
          ]),
        ),
      );
      const [id = ''] = imported.chatIds;
      assert.deepEqual(await texts(id), [
        'user: a',
        'user: be nice',
        'user: and kind',
        'user: ```console\n$ ls\nx\ny\n[exit code 1]\n```',
        'assistant: ',
        'user: end',
      ]);
      const { messages } = await store.exportChat(id);
      const [, hash = ''] = /"offshoot-blob:([0-9a-f]{64})"/.exec(JSON.stringify(messages[4]?.data)) ?? [];
      assert.deepEqual([...((await store.blobs.get(hash)) ?? [])], [0, 0, 0]);
      assert.doesNotMatch(JSON.stringify(messages), /data:image/);
      assert.deepEqual(counts(imported), [
        ['Commands that were kept from the model', 1],
        ['Pictures that cannot be shown', 2],
      ]);
    });

    it('is read as far as it goes where its end was cut off or an entry has lost its parent, and says so', async () => {
      const imported = await takeWithReport(
        `${lines(
          header,
          entry('1', null, 'user', 'a'),
          entry('2', 'lost', 'user', 'orphan'),
          { type: 'something_new', id: '3', parentId: '2' },
          entry('4', '3', 'martian', 'b'),
        )}\n{"type":"mess`,
      );
      assert.deepEqual(await texts(imported.chatIds[0] ?? ''), ['user: orphan']);
      assert.deepEqual(counts(imported), [
        ['Messages whose predecessor is missing, kept as first messages', 1],
        ['Records of an unknown kind', 1],
        ['Messages of an unknown kind', 1],
        ['A last line that was cut off', 1],
      ]);
    });

    it('may have a title before its header', async () => {
      for (const title of ['{"type":"title","title":"Herons"}', '{"name":"Herons"}', '# Herons']) {
        const id = await take(`${title}\n${lines(header, entry('1', null, 'user', 'a'))}`);
        assert.equal((await store.getChat(id))?.title, 'Herons');
      }
    });

    it('has no times that are made up', async () => {
      const now = Date.parse('2026-01-01');
      const at = (id: string, timestamp: string) => ({ ...entry(id, null, 'user', 'a'), timestamp });
      const { chatIds } = await takeWithReport(
        lines(header, at('1', '1960-01-01T00:00:00Z'), at('2', '+275760-01-01T00:00:00Z'), at('3', 'never')),
      );
      const { messages } = await store.exportChat(chatIds[0] ?? '');
      assert.deepEqual(
        messages.map(({ createdAt }) => createdAt),
        [0, now, now],
      );
    });

    it('with a fault is read as far as it goes, and its line is said', async () => {
      for (const [rest, said, leftOut] of [
        [`{\n${lines(entry('1', null, 'user', 'a'))}`, ['user: a'], ['Lines that are not JSON', 'file:2']],
        [
          lines(
            entry('1', null, 'user', 'a'),
            entry('1', null, 'user', 'b'),
            entry('2', '1', 'assistant', 'c'),
          ),
          ['user: a', 'assistant: c'],
          ['Records with the id of an earlier one', 'file:3'],
        ],
        [
          lines(entry('1', null, 'user', 'a'), entry('2', '1', 'user', 7), entry('3', '2', 'assistant', 'b')),
          ['user: a', 'assistant: b'],
          ['Records of an unknown kind', 'file:3'],
        ],
        [
          lines(entry('1', null, 'user', 'a'), { no: 'type', id: '2', parentId: '1' }, 7),
          ['user: a'],
          ['Records of an unknown kind', 'file:3, file:4'],
        ],
      ] as const) {
        const imported = await takeWithReport(`${lines(header)}\n${rest}`);
        assert.deepEqual(await texts(imported.chatIds[0] ?? ''), said);
        const [first] = imported.leftOut;
        assert.ok(first);
        assert.equal(first.what.template.slice(0, leftOut[0].length), leftOut[0]);
        assert.equal(first.places.join(', '), leftOut[1]);
      }
    });
  });
});
