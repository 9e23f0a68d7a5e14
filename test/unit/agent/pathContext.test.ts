import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PathContextReader } from '../../../src/agent/context/pathContext.ts';
import { sentText, toolsText } from '../../../src/agent/context/sentText.ts';
import { pdfPart } from '../../../src/models/messages/messageFiles.ts';
import { TextTokens } from '../../../src/agent/context/textTokens.ts';
import { notesTools } from '../../../src/agent/tools/notesTools.ts';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { loadTokenizer } from '../../../src/engine/estimate/index.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import type { ContextStore } from '../../../src/engine/store.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('what stands on the way to a head', () => {
  let store: ContextStore;
  let engine: ContextEngine;
  let counted: string[];
  let reader: PathContextReader;

  beforeEach(() => {
    store = memoryStore();
    engine = new ContextEngine({ store, chatId: 'chat', userId: 'ann' });
    counted = [];
    const tokens = new (class extends TextTokens {
      override count(text: string): Promise<number> {
        counted.push(text);
        return super.count(text);
      }
    })();
    reader = new PathContextReader(store, tokens);
  });
  afterEach(async () => {
    await engine.close();
    await store.close();
  });

  const read = () => reader.read('chat', engine.headMessageId ?? null);
  const add = async (id: string): Promise<void> => {
    engine.set(user(`question ${id}`, { id }), assistant(`answer ${id}`, { id: `${id} answer` }));
    await engine.save();
  };

  it('has the messages with their tokens, and counts only what is new', async () => {
    await add('one');
    const before = await read();
    assert.deepEqual(
      before.messages.map(({ name, beginning }) => [name, beginning]),
      [
        ['user', 'question one'],
        ['assistant', 'answer one'],
      ],
    );
    assert.equal(before.tokens, 4);
    await add('two');
    const after = await read();
    assert.equal(after.tokens, 8);
    assert.deepEqual(counted, ['question one', 'answer one', 'question two', 'answer two']);
  });

  it('follows a rewind and a switch without counting a message twice', async () => {
    engine.state.set('mood', 'curious');
    await engine.artifacts.save('plan', bytes('v0'), { mediaType: 'text/plain' });
    await add('one');
    engine.state.set('mood', 'sure');
    await engine.artifacts.save('plan', bytes('v1'), { mediaType: 'text/plain' });
    await add('two');
    const facts = async () => {
      const { messages, effects } = await read();
      return [messages.length, effects.state.get('mood'), effects.artifacts.get('plan')?.length];
    };
    assert.deepEqual(await facts(), [4, 'sure', 2]);
    await engine.rewind('one answer');
    assert.deepEqual(await facts(), [2, 'curious', 1]);
    await engine.switchBranch('main');
    assert.deepEqual(await facts(), [4, 'sure', 2]);
    assert.equal(counted.length, 4);
  });

  it('reads of a branch only what the one read before does not have', async () => {
    for (const id of ['one', 'two', 'three']) await add(id);
    await engine.rewind('two answer');
    await add('other');
    await read();
    const whole = store.getPath.bind(store);
    let wholePaths = 0;
    store.getPath = (...path) => {
      wholePaths += 1;
      return whole(...path);
    };
    await engine.switchBranch('main');
    wholePaths = 0;
    const beginnings = (await read()).messages.map(({ beginning }) => beginning);
    assert.deepEqual(beginnings.slice(4), ['question three', 'answer three']);
    assert.equal(wholePaths, 0);
  });

  it('goes on when what it had read was deleted in between', async () => {
    await add('one');
    await engine.rewind('one');
    await add('two');
    await read();
    await engine.switchBranch('main');
    await store.deleteBranch('chat', 'main-v2');
    await store.trash.empty();
    assert.equal((await read()).messages.length, 2);
  });

  it('is the same whether it grew step by step or is read at once', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'say' as const }),
      fc.nat().map((at) => ({ kind: 'rewind' as const, at })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const chatId = crypto.randomUUID();
        const own = new ContextEngine({ store, chatId, userId: 'ann' });
        const ids: string[] = [];
        for (const each of steps) {
          const id = ids[each.kind === 'rewind' ? each.at % Math.max(1, ids.length) : -1];
          if (id !== undefined) await own.rewind(id);
          else {
            own.set(user('Hello', { id: `m${ids.length}` }));
            own.state.set('length', ids.length);
            ids.push(...(await own.save()).messageIds);
          }
          const head = own.headMessageId ?? null;
          const fresh = new PathContextReader(store, new TextTokens());
          assert.deepEqual(await reader.read(chatId, head), await fresh.read(chatId, head));
        }
        await own.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe('the tokens of a text', () => {
  it('are those of the tokenizer, whatever the length, and others have their turn while they are counted', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.\n'.repeat(40_000);
    const exact = (await loadTokenizer())(text);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const tokens = await new TextTokens().count(text);
    clearInterval(timer);
    assert.ok(Math.abs(tokens - exact) <= text.length / 20_000 + 1, `${tokens} and not ${exact}`);
    assert.ok(turns > 1, `others had ${turns} turns`);
  });

  it('are counted of every text there is', async () => {
    const count = await loadTokenizer();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        assert.equal(await new TextTokens().count(text), count(text));
      }),
    );
  });
});

describe('what a model is sent of a message', () => {
  it('holds the calls of tools and what they answered, and says how many pictures are included', () => {
    const { text, files } = sentText({
      id: 'm',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I look.' },
        {
          type: 'tool-read_file',
          toolCallId: 'c',
          state: 'output-available',
          input: { path: 'a.ts' },
          output: { text: 'export {}' },
        },
      ],
    });
    assert.equal(text, 'I look.\n\nread_file {"path":"a.ts"}\n\nexport {}');
    assert.equal(files, 0);
    const picture = { type: 'file' as const, mediaType: 'image/png', url: 'data:image/png;base64,AA==' };
    assert.equal(sentText({ id: 'm', role: 'user', parts: [picture] }).files, 1);
  });

  it('says how many pages of PDFs are included, which the model may not read, and counts none of their bytes', () => {
    const paper = pdfPart({ hash: 'a'.repeat(64), name: 'a.pdf', size: 9_000_000, pages: 40 });
    const unknown = pdfPart({ hash: 'b'.repeat(64), name: 'b.pdf' });
    const { text, files, pages } = sentText({ id: 'm', role: 'user', parts: [paper, unknown] });
    assert.deepEqual({ text, files, pages }, { text: '', files: 1, pages: 40 });
    const call = { type: 'tool-read_file', toolCallId: 'c', state: 'output-available', input: {} } as const;
    const shown = { ...call, output: { text: 'a.pdf:', files: [paper] } };
    assert.equal(sentText({ id: 'm', role: 'assistant', parts: [shown] }).pages, 40);
  });

  it('begins with the tools it is offered, and what they take', () => {
    const [first] = toolsText(notesTools).split('\n');
    const { name, inputSchema } = JSON.parse(first ?? '') as { name: string; inputSchema: object };
    assert.equal(name, 'read_notes');
    assert.ok('properties' in inputSchema);
    assert.ok(!('$schema' in inputSchema), 'no model is sent what the schema is written in');
  });
});
