import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hiddenFromUser } from '../../../src/agent/context/hiddenFromUser.ts';
import { modelMessages } from '../../../src/agent/context/modelMessages.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, reminder, user } from '../../../src/engine/fragments/index.ts';
import { MAX_IMPORTED_TITLE } from '../../../src/engine/limits.ts';
import { formatInEnglish } from '../../../src/engine/messageDescriptor.ts';
import { isUnreadablePart, readUIMessage } from '../../../src/engine/uiMessage.ts';
import { writeConversations } from '../../../src/importExport/conversationsFile.ts';
import { importFile, importWithReport } from '../../../src/importExport/importFile.ts';
import { chatAsMarkdown } from '../../../src/importExport/markdownExport.ts';
import { messageView } from '../../../src/protocol/views.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { withVsCodeStub } from '../../fixtures/vscodeStub.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

type Path = readonly (string | number)[];

/** A file as one of the programs writes it: a JSON value, or one a line. */
interface Sample {
  readonly name: string;
  readonly values: readonly unknown[];
}

const entry = (id: string, parentId: string | null, role: string, content: unknown, more = {}) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2025-01-01T00:00:00.000Z',
  message: { role, content, ...more },
});
const piSession: Sample = {
  name: 'pi',
  values: [
    { type: 'session', version: 3, id: 's', timestamp: '2025-01-01T00:00:00.000Z' },
    entry('1', null, 'user', 'one'),
    entry('2', '1', 'assistant', [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'first' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'a' } },
    ]),
    entry('3', '2', 'toolResult', [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], {
      toolCallId: 'c',
      toolName: 'read',
      isError: false,
    }),
    { type: 'label', id: '4', parentId: '3', targetId: '2', label: 'good' },
    { type: 'session_info', id: '5', parentId: '4', name: 'Name' },
    { type: 'branch_summary', id: '6', parentId: '2', summary: 'tried' },
    entry('7', '6', 'bashExecution', undefined, { command: 'ls', output: 'x', exitCode: 0 }),
  ],
};
const vsCodeChat: Sample = {
  name: 'VS Code',
  values: [
    {
      requests: [
        {
          message: { text: 'a' },
          timestamp: 5,
          response: [
            { value: 'b' },
            { kind: 'thinking', value: 'hm' },
            { kind: 'inlineReference', name: 'x' },
          ],
        },
        { message: 'c', response: [] },
      ],
      customTitle: 'T',
    },
  ],
};

async function ownExport(): Promise<Sample> {
  const store = memoryStore(() => 1_000);
  const engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
  const metadata = {
    modelId: 'm',
    modelLabel: 'M',
    isDemo: false,
    status: 'complete',
    startedAt: 1,
    finishedAt: 2,
    cost: 0.1,
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  const times = { offshoot: { startedAt: 1, finishedAt: 2 } };
  engine.set(user('one', { id: 'q1' }), reminder('note'));
  engine.set(
    assistant({
      id: 'a1',
      role: 'assistant',
      metadata,
      parts: [
        { type: 'text', text: 'first' },
        {
          type: 'tool-read_file',
          toolCallId: 'c',
          state: 'output-available',
          input: { path: 'a' },
          output: { text: 'x' },
          callProviderMetadata: times,
        },
        { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'stop' }] },
      ],
    }),
  );
  engine.state.set('k', 1);
  await engine.artifacts.save('notes', Uint8Array.of(7), { mediaType: 'text/plain' });
  await engine.save();
  await engine.checkpoint('c');
  await engine.rewind('q1');
  await engine
    .set(
      user({
        role: 'user',
        parts: [
          { type: 'data-attached-file', data: { path: 'a', startLine: 1 } },
          { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
        ],
      }),
    )
    .save();
  const value: unknown = JSON.parse(await writeConversations(store, ['chat'], 5));
  await engine.close();
  await store.close();
  return { name: 'Offshoot', values: [value] };
}

/** Every place in a value, however deep: what is nested may be put into what is nested. */
function places(value: unknown): Path[] {
  const found: Path[] = [];
  const waiting: { readonly value: unknown; readonly at: Path }[] = [{ value, at: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at } = next;
    found.push(at);
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, member] of Object.entries(next.value).reverse()) {
      waiting.push({ value: member, at: [...at, key] });
    }
  }
  return found;
}

function replaced(value: unknown, at: Path, change: (value: unknown) => unknown): unknown {
  const above: unknown[] = [];
  let member = value;
  for (const step of at) {
    if (typeof member !== 'object' || member === null) return value;
    above.push(member);
    member = (member as Record<string, unknown>)[step];
  }
  return at.reduceRight<unknown>((below, step, index) => {
    const holder = above[index];
    const copy = Array.isArray(holder) ? [...(holder as unknown[])] : { ...(holder as object) };
    return Object.assign(copy, { [step]: below });
  }, change(member));
}

/** Its name stands for it where a failure is reported: to write it out, too, takes recursion. */
function nested(depth: number): unknown {
  const value = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as object;
  return Object.assign(value, { [fc.toStringMethod]: () => `nested(${depth})` });
}

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    5,
    -1,
    1.5,
    1e300,
    Number.MAX_SAFE_INTEGER,
    '',
    'q1',
    'a1',
    '\0',
    '\ud800',
    '1',
    '2',
  ),
  fc.constantFrom<unknown>(
    [],
    {},
    [null],
    { type: 'text', text: 5 },
    { type: 'tool-x' },
    '__proto__',
    'constructor',
  ),
  fc.constantFrom<unknown>(
    'user',
    'system',
    'assistant',
    'toolResult',
    'main',
    'x'.repeat(5_000),
    nested(2_000),
  ),
  fc.constantFrom<unknown>({ branchSummary: {} }, { type: 'file', url: 'data:,x', mediaType: 'a/b' }),
);

/** One value a line; undefined for what JSON can't be made of. */
function asLines(values: unknown): string | undefined {
  try {
    return (Array.isArray(values) ? (values as unknown[]) : [values])
      .map((each) => JSON.stringify(each))
      .join('\n');
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

describe('files of chats that someone made up', () => {
  let store: SqlContextStore;
  let samples: readonly Sample[];
  before(async () => {
    samples = [await ownExport(), piSession, vsCodeChat];
  });
  beforeEach(() => {
    store = memoryStore();
  });
  afterEach(() => store.close());

  it('are refused or taken where what nests deeply stands, wherever that is', async () => {
    const outcomes = new Set<string>();
    for (const at of places(piSession.values)) {
      const values = replaced(piSession.values, at, () => nested(600)) as unknown[];
      const text = values.map((each) => JSON.stringify(each)).join('\n');
      const importing = importFile(store, 'ann', new TextEncoder().encode(text), 10_000);
      outcomes.add(
        await importing.then(
          () => 'taken',
          (error: unknown) => (error as { code: string }).code,
        ),
      );
    }
    assert.deepEqual([...outcomes].sort(), ['import-failed', 'taken']);
  });

  it('fuzz: are refused with a short reason and leave nothing, or become chats that everything can show and send', async () => {
    const { messageView: viewOf } = await withVsCodeStub(
      () => import('../../../src/extension/pages/messageView.ts'),
    );
    const outcomes = { taken: 0, refused: 0 };
    const mutation = fc.record({ at: fc.nat(), put: nasty, isSwap: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(2),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        fc.option(fc.nat()),
        async (which, mutations, cut) => {
          const sample = samples[which];
          assert.ok(sample);
          let values: unknown = sample.values;
          for (const { at, put, isSwap } of mutations) {
            const all = places(values);
            const from = all[(at * 7) % all.length] ?? [];
            const other = isSwap
              ? from.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], values)
              : put;
            values = replaced(values, all[at % all.length] ?? [], () => other);
          }
          const text = asLines(values);
          // What is nested too deep to be written is in no file.
          fc.pre(text !== undefined);
          const bytes = new TextEncoder().encode(
            cut === null || cut % 4 > 0 ? text : text.slice(0, cut % text.length),
          );
          let ids: string[];
          try {
            ids = await importFile(store, 'ann', bytes, 10_000);
          } catch (error) {
            outcomes.refused += 1;
            assert.equal(
              (error as { code?: string }).code,
              'import-failed',
              `${sample.name}: ${String(error)}`,
            );
            assert.ok((error as Error).message.length < 1_500);
            assert.deepEqual(await store.listChats(), []);
            return;
          }
          outcomes.taken += 1;
          for (const id of ids) {
            const graph = await store.getGraph(id);
            const chat = await store.exportChat(id);
            assert.equal(graph.nodes.length, chat.messages.length);
            chatAsMarkdown(chat);
            for (const { id: messageId } of chat.messages) {
              const path = await store.getPath(id, messageId);
              const messages = path.flatMap(({ type, data }) =>
                type === 'message' ? (readUIMessage(data) ?? []) : [],
              );
              modelMessages(messages);
              messages.forEach(hiddenFromUser);
              for (const node of path) {
                const view = viewOf(node, []);
                if (view) messageView.parse(view);
                assert.ok(!Number.isNaN(new Date(node.createdAt).getTime()));
              }
            }
            await store.deleteChat(id);
          }
        },
      ),
      { numRuns: fuzzRuns(60) },
    );
    // Neither half of it is idle.
    assert.ok(outcomes.taken > 3 && outcomes.refused > 3, JSON.stringify(outcomes));
  });

  const bytesOf = (file: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(file));
  const ownChat = (more: object, message: object): unknown => {
    const file = structuredClone(samples[0]?.values[0]) as { chats: { messages: { data: object }[] }[] };
    const [chat] = file.chats;
    const [first] = chat?.messages ?? [];
    assert.ok(chat && first);
    Object.assign(chat, more);
    Object.assign(first.data, message);
    return file;
  };

  it('have titles that can be shown, and it is said which were cut', async () => {
    const whole = 'x'.repeat(MAX_IMPORTED_TITLE);
    const long = `${'x'.repeat(MAX_IMPORTED_TITLE - 2)}😀${'y'.repeat(1_000_000)}`;
    const titled = async (title: string) => {
      const { chatIds, leftOut } = await importWithReport(store, 'ann', bytesOf(ownChat({ title }, {})), 1);
      return { title: (await store.getChat(chatIds[0] ?? ''))?.title, leftOut };
    };
    assert.deepEqual(await titled(whole), { title: whole, leftOut: [] });
    const { title, leftOut } = await titled(long);
    assert.equal(title, `${'x'.repeat(MAX_IMPORTED_TITLE - 2)}…`);
    assert.deepEqual(
      leftOut.map(({ what, count }) => [formatInEnglish(what), count]),
      [['Chat titles of more than 1000 characters, which were shortened', 1]],
    );
  });

  it('have messages that know their own ids, whatever they say', async () => {
    const [id = ''] = await importFile(store, 'ann', bytesOf(ownChat({}, { id: 'a1' })), 1);
    const { nodes } = await store.getGraph(id);
    for (const node of nodes) {
      const message = readUIMessage((await store.getMessage(id, node.id))?.data);
      assert.equal(message?.id, node.id);
    }
  });

  it('hold no file that could not be sent, so that every question after it would fail', async () => {
    const broken = { type: 'file', mediaType: 'image/png', url: 'data:image/png' };
    const file = ownChat({}, { parts: [{ type: 'text', text: 'look' }, broken] });
    const [id = ''] = await importFile(store, 'ann', bytesOf(file), 1);
    const { nodes } = await store.getGraph(id);
    const path = await store.getPath(id, nodes[0]?.id ?? '');
    const [message] = path.flatMap(({ data }) => readUIMessage(data) ?? []);
    assert.ok(message && isUnreadablePart(message.parts[1] ?? assert.fail()));
    assert.deepEqual(modelMessages([message]), [{ role: 'user', content: [{ type: 'text', text: 'look' }] }]);
  });
});
