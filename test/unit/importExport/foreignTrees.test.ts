import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Imports } from '../../../src/conversation/imports.ts';
import type { PortableChat } from '../../../src/engine/portableChat.ts';
import { isReasoningPart, isTextPart, isToolPart, readUIMessage } from '../../../src/engine/uiMessage.ts';
import type { BatchList } from '../../../src/importExport/importBatch.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import { sourceFile } from '../../fixtures/importOutline.ts';
import {
  asChatGpt,
  asClaudeAi,
  asClaudeCode,
  asCline,
  asCodex,
  asCopilot,
  asGemini,
  asPi,
  asQwenCode,
  asVsCode,
  type TreeMessage,
  type MessageTree,
} from '../../fixtures/imports/treeWriters.ts';
import { memoryStore } from '../../fixtures/stores.ts';
import { fuzzRuns } from '../../fuzzRuns.ts';

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((made) => `t${made.replaceAll('<', '')}.`);

interface Step {
  readonly back: number;
  readonly text: string;
  readonly answer: {
    readonly text: string;
    readonly thought: string | undefined;
    readonly output: string | undefined;
  };
}

const step: fc.Arbitrary<Step> = fc.record({
  back: fc.nat(),
  text,
  answer: fc.record({
    text,
    thought: fc.option(text, { nil: undefined }),
    output: fc.option(text, { nil: undefined }),
  }),
});
const steps = fc.array(step, { minLength: 1, maxLength: 8 });

/** Where a turn can begin: after any answer, after one on the way to the last, or after the last. */
type Shape = 'tree' | 'rollbacks' | 'list';

/** Turns of a question and an answer. */
function treeOf(made: readonly Step[], chosen: number, shape: Shape): MessageTree {
  const messages: TreeMessage[] = [];
  const answers: string[] = [];
  const way: string[] = [];
  for (const [at, { back, text: asked, answer }] of made.entries()) {
    const places = [null, ...way];
    const place = shape === 'list' ? places.length - 1 : back % places.length;
    const parent = places[place] ?? null;
    if (shape === 'rollbacks') way.length = place;
    way.push(`a${at}`);
    // Each says something of its own: two that say the same after the same are one, where there are no ids.
    messages.push({
      id: `q${at}`,
      parent,
      role: 'user',
      text: `${asked}${at}`,
      thought: undefined,
      output: undefined,
    });
    messages.push({ ...answer, id: `a${at}`, parent: `q${at}`, role: 'assistant' });
    answers.push(`a${at}`);
  }
  return { messages, head: answers[shape === 'tree' ? chosen % answers.length : answers.length - 1] ?? '' };
}

/** What a tree says: each way from its beginning to an end, and which of them one was on. */
interface Ways {
  readonly ways: readonly string[];
  readonly head: string;
}

function waysOf(tree: MessageTree): Ways {
  const byId = new Map(tree.messages.map((message) => [message.id, message]));
  const parents = new Set(tree.messages.map(({ parent }) => parent));
  const way = (id: string): string => {
    const texts: string[] = [];
    for (let at = byId.get(id); at; at = byId.get(at.parent ?? '')) {
      if (at.output !== undefined) texts.push(`ran ${at.output}`);
      texts.push(`${at.role} ${at.text}`);
      if (at.thought !== undefined) texts.push(`thought ${at.thought}`);
    }
    return JSON.stringify(texts.reverse());
  };
  const ends = tree.messages.filter(({ id }) => !parents.has(id)).map(({ id }) => id);
  return { ways: [...new Set([...ends, tree.head])].map(way).sort(), head: way(tree.head) };
}

function waysIn(chat: PortableChat): Ways {
  const byId = new Map(chat.messages.map((message) => [message.id, message]));
  const way = (id: string | null): string => {
    const texts: string[] = [];
    for (let at = byId.get(id ?? ''); at; at = byId.get(at.parentId ?? '')) {
      const read = readUIMessage(at.data);
      for (const part of (read?.parts ?? []).toReversed()) {
        if (isTextPart(part)) texts.push(`${read?.role ?? ''} ${part.text}`);
        else if (isReasoningPart(part)) texts.push(`thought ${part.text}`);
        else if (isToolPart(part)) texts.push(`ran ${'output' in part ? String(part.output) : part.state}`);
      }
    }
    return JSON.stringify(texts.reverse());
  };
  return {
    ways: chat.branches.map(({ headMessageId }) => way(headMessageId)).sort(),
    head: way(chat.branches.find(({ isActive }) => isActive)?.headMessageId ?? null),
  };
}

type Add = (imports: Imports, list: BatchList, written: string) => Promise<void>;

const asFile =
  (name: string): Add =>
  (imports, list, written) =>
    imports.addFile(list, sourceFile(name, written), 9_000_000_000_000);

const programs: Readonly<Record<string, { write: (tree: MessageTree) => string; add: Add; shape?: Shape }>> =
  {
    'Claude Code': { write: asClaudeCode, add: asFile('s.jsonl') },
    'Qwen Code': { write: asQwenCode, add: asFile('s.jsonl') },
    pi: { write: asPi, add: asFile('s.jsonl') },
    ChatGPT: { write: asChatGpt, add: asFile('conversations.json') },
    'Claude.ai': { write: asClaudeAi, add: asFile('conversations.json') },
    Codex: { write: asCodex, add: asFile('rollout-s.jsonl'), shape: 'rollbacks' },
    'Gemini CLI': { write: asGemini, add: asFile('session-s.jsonl'), shape: 'rollbacks' },
    'Copilot CLI': { write: asCopilot, add: asFile('events.jsonl'), shape: 'list' },
    Cline: { write: asCline, add: asFile('api_conversation_history.json'), shape: 'list' },
    'VS Code': { write: asVsCode, add: asFile('s.jsonl'), shape: 'list' },
  };

describe('a conversation as another program writes it', () => {
  let store: SqlContextStore;
  beforeEach(() => {
    store = memoryStore();
  });
  afterEach(() => store.close());

  /** Also after a failure: what is left of it would be brought up to date. */
  const forget = async (): Promise<void> => {
    for (const { id } of await store.listChats({ details: false })) await store.deleteChat(id);
  };

  const take = async (add: Add, written: string) => {
    const imports = new Imports(store, 'ann');
    const { signal } = new AbortController();
    const list = imports.list(signal);
    await add(imports, list, written);
    assert.deepEqual(list.unread, []);
    const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
    return imports.take(chosen, 9_000_000_000_000, signal, () => undefined);
  };

  for (const [program, { write, add, shape = 'tree' }] of Object.entries(programs)) {
    const made = (given: readonly Step[], chosen: number): MessageTree => treeOf(given, chosen, shape);

    it(`comes as the same tree from ${program} (fuzz)`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), async (given, chosen) => {
          const tree = made(given, chosen);
          const { created, failed } = await take(add, write(tree));
          assert.deepEqual(failed, []);
          assert.equal(created.length, 1);
          assert.deepEqual(waysIn(await store.exportChat(created[0] ?? '')), waysOf(tree));
        }),
        { numRuns: fuzzRuns(15), plugins: [fc.afterEach(forget)] },
      );
    });

    it(`of ${program} gets what is new when it is imported again, and keeps what was said here (fuzz)`, async () => {
      await fc.assert(
        fc.asyncProperty(steps, fc.nat(), fc.nat(), fc.boolean(), async (given, chosen, cut, goesOn) => {
          const early = made(given.slice(0, 1 + (cut % given.length)), chosen);
          const late = made(given, chosen);
          const [id = ''] = (await take(add, write(early))).created;
          if (goesOn) await sayOnActiveBranch(store, id);
          const before = await store.exportChat(id);
          const outcome = await take(add, write(late));
          assert.deepEqual([outcome.created, outcome.failed], [[], []]);
          const after = await store.exportChat(id);
          assert.deepEqual(after.messages.slice(0, before.messages.length), before.messages);
          assert.equal(
            after.branches.find(({ isActive }) => isActive)?.name,
            before.branches.find(({ isActive }) => isActive)?.name,
          );
          const { ways } = waysIn(after);
          for (const way of waysOf({ ...late, head: late.messages.at(-1)?.id ?? '' }).ways) {
            assert.ok(
              ways.some((each) => each.startsWith(way.slice(0, -1))),
              way,
            );
          }
          if (goesOn) assert.ok(ways.some((way) => way.endsWith('"user said here"]')));
          const again = await take(add, write(late));
          assert.deepEqual([again.created, again.extended, again.unchanged], [[], [], [id]]);
        }),
        { numRuns: fuzzRuns(10), plugins: [fc.afterEach(forget)] },
      );
    });
  }
});

async function sayOnActiveBranch(store: SqlContextStore, chatId: string): Promise<void> {
  const branch = await store.getActiveBranch(chatId);
  const id = crypto.randomUUID();
  await store.saveMessages({
    chatId,
    branch: branch?.name ?? '',
    expectedHead: branch?.headMessageId ?? null,
    onHeadConflict: 'error',
    newBranchAt: undefined,
    activate: true,
    messages: [
      {
        id,
        name: 'user',
        type: 'message',
        invocationId: undefined,
        replaces: undefined,
        effects: undefined,
        data: { id, role: 'user', parts: [{ type: 'text', text: 'said here' }] },
      },
    ],
  });
}
