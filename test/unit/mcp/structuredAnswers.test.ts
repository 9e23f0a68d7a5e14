import assert from 'node:assert/strict';
import { ContextEngine } from '../../../src/engine/contextEngine.ts';
import { assistant, user } from '../../../src/engine/fragments/index.ts';
import { LOCAL_USER } from '../../../src/engine/users.ts';
import { readingTools } from '../../../src/mcp/reading/readingTools.ts';
import type { ToolAnswer } from '../../../src/mcp/reading/readingTool.ts';
import { importedEdits } from '../../fixtures/importedEdits.ts';
import { memoryStore } from '../../fixtures/memoryStore.ts';

const userId = LOCAL_USER;
const chat = 'fact-chat';

/** Inputs by which each tool says every kind of fact that it can say. */
const inputs: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  search_conversations: [{ query: 'fact' }, { query: 'fact', limit: 1 }, { query: 'nothing at all' }],
  list_branches: [{}, { limit: 1 }, { chat }, { chat, limit: 1 }],
  read_path: [{ chat }, { chat, limit: 1 }, { chat, branch: 'fact-branch' }],
  list_checkpoints: [{ chat }, { chat, limit: 1 }, { chat: 'fact-other' }],
  compare_branches: [
    { chat, left: 'main', right: 'fact-branch' },
    { chat, left: 'main', right: 'main' },
  ],
  explain_line: [
    { path: 'fact-file.ts', line: 1 },
    { path: 'fact-file.ts', line: 1, endLine: 4 },
  ],
};

const FOLDER = 'file:///facts';

/** By branch, what was written; and what the file holds now. */
const texts = {
  main: 'first = 1;\n',
  other: 'second = 2;\n',
  now: 'second = 2;\n// mine\n// too\n// theirs\n',
};

/** What a text says that is not wording: the facts of the chats made here, times, and numbers. */
function factsIn(text: string): string[] {
  return [...text.matchAll(/fact[\w-]*|\d{4}-\d\d-\d\dT[\d:]+Z|\b\d+\b/gu)].map(([fact]) => fact);
}

/** The lengths of lists: data says them by the lists. */
function lengthsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [String(value.length)] : [];
  return [...own, ...Object.values(value).flatMap(lengthsIn)];
}

async function answers(): Promise<(readonly [name: string, answer: ToolAnswer])[]> {
  const store = memoryStore();
  await store.createChat({ id: chat, userId, title: 'fact-title' });
  const engine = new ContextEngine({ store, chatId: chat, userId });
  engine.state.set('fact-key', 'fact-value');
  const written = async (text: string, at: number): Promise<void> => {
    const bytes = new TextEncoder().encode(text);
    const after = { hash: await store.blobs.put(bytes), size: bytes.length };
    engine.files.add({ folder: FOLDER, path: 'fact-file.ts', before: null, after, at });
  };
  await written(texts.main, 1);
  engine.set(user('fact-question', { id: 'fact-q' }), assistant('fact-answer', { id: 'fact-a' }));
  await engine.save();
  await engine.checkpoint('fact-mark');
  await engine.rewind('fact-q');
  engine.state.set('fact-key', 'fact-changed');
  await written(texts.other, Date.UTC(2026, 1, 2));
  for (let at = 0; at < 15; at += 1) {
    engine.set(
      assistant(`fact-other-${at}`, { id: `fact-o-${at}` }),
      user(`fact-more-${at}`, { id: `fact-m-${at}` }),
    );
  }
  await engine.save();
  await engine.checkpoint('fact-second');
  await engine.close();
  const [newest] = (await store.listBranches(chat, { userId })).filter(({ isActive }) => isActive);
  await store.renameBranch(chat, newest?.name ?? '', 'fact-branch', { userId });
  await store.createChat({ id: 'fact-other', userId, title: 'fact-empty' });
  const edited = ['// their', '// theirs'] as const;
  await store.importChats(userId, [importedEdits('fact-imported', 'fact-file.ts', '// their\n', edited)]);
  const files = { folders: () => [FOLDER], text: () => Promise.resolve(texts.now) };
  const found: (readonly [string, ToolAnswer])[] = [];
  for (const tool of readingTools) {
    for (const input of inputs[tool.name] ?? []) {
      found.push([`${tool.name} ${JSON.stringify(input)}`, await tool.run({ store, userId, files }, input)]);
    }
  }
  return found;
}

describe('the data of an answer to a program', () => {
  it('is asked of every tool here', () => {
    assert.deepEqual(
      readingTools.map(({ name }) => name),
      Object.keys(inputs),
    );
  });

  it('says every fact that its text says: some programs give their model nothing else', async () => {
    const found = await answers();
    const lost = found.flatMap(([name, { text, data }]) => {
      if (!data) return [];
      const said = new Set([...factsIn(JSON.stringify(data)), ...lengthsIn(data)]);
      return factsIn(text).flatMap((fact) => (said.has(fact) ? [] : [`${name}: ${fact}`]));
    });
    assert.deepEqual(lost, []);
    const facts = found.flatMap(([, { text, data }]) => (data ? factsIn(text) : []));
    for (const fact of [
      'fact-title',
      'fact-mark',
      'fact-changed',
      'fact-question',
      'fact-other-0',
      'fact-file',
    ]) {
      assert.ok(facts.includes(fact), fact);
    }
  });

  it('has other attempts at lines, and when each was made', async () => {
    const [, answer] = (await answers()).filter(([name]) => name.startsWith('explain_line'));
    assert.match(
      answer?.[1].text ?? '',
      /2026-02-02T00:00Z\n.*\n- Other attempt: message "fact-a".*\n.*fact-question/u,
    );
  });

  it('has what an imported session says of lines, and that it is one', async () => {
    const [, answer] = (await answers()).filter(([name]) => name.startsWith('explain_line'));
    assert.match(answer?.[1].text ?? '', /\nLine 4: message "imported:edit".* imported from Claude Code;/u);
    assert.match(JSON.stringify(answer?.[1].data), /"importedFrom":"Claude Code".*"knownBy":"session"/u);
  });

  it('is there for what a tool says to have, and for nothing else', async () => {
    for (const [name, { data }] of await answers()) {
      const tool = readingTools.find((each) => name.startsWith(`${each.name} `));
      assert.equal(data !== undefined, tool?.output !== undefined, name);
      if (tool?.output) assert.deepEqual(tool.output.strict().parse(data), data, name);
    }
  });
});
