import assert from 'node:assert/strict';
import { importFile } from '../../../src/exchange/importFile.ts';
import type { SqlContextStore } from '../../../src/store/contextStore.ts';
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
  const said = async (id: string, head?: string): Promise<string[]> => {
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
      assert.deepEqual(await said(id), [
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
      assert.deepEqual(await said(id), [
        'user: one',
        'assistant: first',
        'assistant: ',
        'assistant: tried two',
        'user: three',
      ]);
      assert.equal((await said(id, branches[1]?.headMessageId ?? '')).at(-1), 'user: two');
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
      assert.deepEqual(await said(id), ['user: a', 'assistant: b']);
    });

    it('with a fault is refused with its line', async () => {
      for (const [text, place] of [
        [`${lines(header)}\n{`, /line 2 is not JSON/],
        [lines(header, entry('1', 'x', 'user', 'a')), /line 2: no entry before it has the id "x"/],
        [lines(header, entry('1', null, 'user', 'a'), entry('1', null, 'user', 'b')), /line 3: the id "1"/],
        [lines(header, entry('1', null, 'user', 7)), /line 2\.content/],
        [lines(header, { no: 'type' }), /line 2\.type/],
      ] as const) {
        await assert.rejects(take(text), { code: 'import-failed', message: place });
      }
      assert.deepEqual(await store.listChats(), []);
    });
  });
});
