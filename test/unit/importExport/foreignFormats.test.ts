import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Imports } from '../../../src/conversation/imports.ts';
import { messageOfError } from '../../fixtures/errorText.ts';
import type { SqlContextStore } from '../../../src/store/sqlite/contextStore.ts';
import type { BatchList } from '../../../src/importExport/importBatch.ts';
import { exportEntries, pictureFinder } from '../../../src/importExport/exportArchive.ts';
import { addSessions } from '../../../src/importExport/sessionPlaces.ts';
import { addClaudeCode } from '../../../src/importExport/programs/claudeCode.ts';
import { addCline } from '../../../src/importExport/programs/clineTask.ts';
import { addCodex } from '../../../src/importExport/programs/codex/codexSession.ts';
import { addCopilot } from '../../../src/importExport/programs/copilotSession.ts';
import { addGemini } from '../../../src/importExport/programs/geminiSession.ts';
import { addPi } from '../../../src/importExport/programs/piSession.ts';
import { readQwen } from '../../../src/importExport/programs/qwenCode.ts';
import { readVsCode } from '../../../src/importExport/programs/vscodeChat.ts';
import { fixtureFile, outlineOf, reportIn, sourceFile } from '../../fixtures/importOutline.ts';
import { memoryStore } from '../../fixtures/stores.ts';

const NOW = Date.parse('2026-02-01');

/** What of each program is read together, by the name of its golden file. */
const cases: Readonly<Record<string, (list: BatchList, imports: Imports) => Promise<void>>> = {
  'claude-code': async (list) => {
    const names = ['branches', 'forked', 'sidechain', 'odd', 'parallel', 'commands', 'compacted', 'line'].map(
      (name) => `${name}.jsonl`,
    );
    const files = await Promise.all(names.map((name, at) => fixtureFile('claude-code', name, at)));
    await addClaudeCode(list, files, NOW);
  },
  'qwen-code': async (list) => {
    const files = await Promise.all(
      ['tree.jsonl', 'compressed.jsonl', 'odd.jsonl'].map((name, at) => fixtureFile('qwen-code', name, at)),
    );
    await addSessions(list, readQwen, files, NOW);
  },
  codex: async (list) => {
    const names = ['rollout-rollback.jsonl', 'rollout-fork.jsonl', 'rollout-old.jsonl', 'rollout-odd.jsonl'];
    const families = (await readdir('test/fixtures/imports/codex')).filter((name) =>
      /T.*-\d{12}/u.test(name),
    );
    const all = [...names, ...families.toSorted()];
    const files = await Promise.all(all.map((name, at) => fixtureFile('codex', name, at)));
    await addCodex(
      list,
      files,
      NOW,
      () => true,
      new Map([['bbbbbbbb-0000-4000-8000-000000000001', 'Agents']]),
    );
  },
  cline: async (list, imports) => {
    const tasks = ['tools', 'xml', 'odd', 'broken'].map(async (id) => ({
      ...({ program: 'cline', id, history: await fixtureFile('cline', `${id}.json`) } as const),
    }));
    await addCline(list, await Promise.all(tasks), NOW, () => true);
    await imports.addFile(list, await fixtureFile('cline', 'session.json'), NOW);
  },
  roo: async (list) => {
    const tasks = ['condensed', 'empty', 'odd'].map(async (id) => ({
      ...({ program: 'roo', id, history: await fixtureFile('roo', `${id}.json`) } as const),
    }));
    await addCline(list, await Promise.all(tasks), NOW, () => true);
  },
  opencode: async (list, imports) => {
    for (const name of ['single.json', 'odd.json'])
      await imports.addFile(list, await fixtureFile('opencode', name), NOW);
  },
  vscode: async (list) => {
    const names = ['session.json', 'log.jsonl', 'odd.jsonl', 'empty.json'];
    const files = await Promise.all(names.map((name, at) => fixtureFile('vscode', name, at)));
    await addSessions(list, readVsCode, files, NOW);
  },
  pi: async (list) => {
    const names = ['tree.jsonl', 'phantom.jsonl', 'oldest.jsonl', 'titled.jsonl'];
    const files = await Promise.all(names.map((name, at) => fixtureFile('pi', name, at)));
    await addPi(list, files, NOW);
  },
  gemini: async (list) => {
    const names = ['session-tree.jsonl', 'agent.jsonl', 'session-old.json', 'session-odd.jsonl'];
    const files = await Promise.all(names.map((name, at) => fixtureFile('gemini', name, at)));
    await addGemini(list, files, NOW, ({ name }) => (name === 'agent.jsonl' ? 'g-main' : undefined));
  },
  copilot: async (list) => {
    const names = ['events.jsonl', 'fork.jsonl', 'odd.jsonl'];
    const files = await Promise.all(names.map((name, at) => fixtureFile('copilot', name, at)));
    const workspace = await fixtureFile('copilot', 'workspace.yaml');
    const sessions = files.map((events) => ({
      ...{ events, workspace: events.name === 'fork.jsonl' ? workspace : undefined },
    }));
    await addCopilot(list, sessions, NOW, (folder) => folder !== '/elsewhere');
  },
  chatgpt: async (list, imports) => {
    for (const name of ['conversations.json', 'single.json', 'cut.json']) {
      await imports.addFile(list, await fixtureFile('chatgpt', name), NOW);
    }
  },
  'claude-ai': async (list, imports) => {
    for (const name of ['conversations.json', 'single.json', 'odd.json']) {
      await imports.addFile(list, await fixtureFile('claude-ai', name), NOW);
    }
  },
  librechat: async (list, imports) => {
    for (const name of ['tree.json', 'branches.json', 'odd.json'])
      await imports.addFile(list, await fixtureFile('librechat', name), NOW);
  },
  'open-webui': async (list, imports) => {
    for (const name of ['chats.json', 'single.json', 'odd.json'])
      await imports.addFile(list, await fixtureFile('open-webui', name), NOW);
  },
  'big-agi': async (list, imports) => {
    for (const name of ['single.json', 'backup.json'])
      await imports.addFile(list, await fixtureFile('big-agi', name), NOW);
  },
  'cherry-studio': async (list, imports) => {
    const png = Uint8Array.from(Buffer.from('iVBORw0KGgoAAAAN', 'base64'));
    const entries = [await fixtureFile('cherry-studio', 'data.json'), sourceFile('Data/Files/pic.png', png)];
    for (const entry of exportEntries(entries))
      await imports.addFile(list, entry, NOW, pictureFinder(entries));
  },
};

describe('conversations of other programs', () => {
  let store: SqlContextStore;
  let imports: Imports;
  beforeEach(() => {
    store = memoryStore(() => NOW);
    imports = new Imports(store, 'ann');
  });
  afterEach(() => store.close());

  it('of Claude Code are known by any of their first records, where the file was selected', async () => {
    const list = imports.list(new AbortController().signal);
    const file = await fixtureFile('claude-code', 'branches.jsonl');
    await imports.addFile(list, file, NOW);
    const found = list.batches.flatMap((batch) => batch.found);
    assert.deepEqual([list.unread, found.map(({ title }) => title)], [[], ['Tests and docs']]);
  });

  for (const [program, add] of Object.entries(cases)) {
    const take = async () => {
      const list = imports.list(new AbortController().signal);
      await add(list, imports);
      const chosen = list.batches.map((batch) => ({ batch, found: batch.found }));
      return {
        list,
        outcome: await imports.take(chosen, NOW, new AbortController().signal, () => undefined),
      };
    };

    it(`of ${program} are the trees they are, whatever is odd about them`, async () => {
      const { list, outcome } = await take();
      const chats = [];
      for (const id of outcome.created) chats.push(await outlineOf(store, id));
      const problems = [
        ...outcome.failed.map(({ title, error }) => `${title ?? ''}: ${messageOfError(error)}`),
        ...list.unread.map(({ name, error }) => `${name}: ${messageOfError(error)}`),
      ];
      const text = [
        ...chats,
        ['left out', ...reportIn(outcome.leftOut)].join('\n  '),
        ['problems', ...problems].join('\n  '),
        '',
      ].join('\n\n');
      const file = path.join('test', 'fixtures', 'imports', program, 'expected.txt');
      if (process.env['UPDATE_TRANSCRIPTS'] === '1') await writeFile(file, text);
      assert.equal(text, await readFile(file, 'utf8'));
    });

    it(`of ${program} are up to date when they are imported again`, async () => {
      const first = await take();
      const before = await Promise.all(first.outcome.created.map((id) => store.exportChat(id)));
      const { outcome } = await take();
      assert.deepEqual(
        [outcome.created, outcome.extended, new Set(outcome.unchanged)],
        [[], [], new Set(first.outcome.created)],
      );
      assert.deepEqual(await Promise.all(first.outcome.created.map((id) => store.exportChat(id))), before);
      assert.equal((await store.listChats()).length, before.length);
    });
  }
});
