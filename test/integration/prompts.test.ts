import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { promptOf } from '../../src/agent/attachments/addedParts.ts';
import { attachedFileParts } from '../../src/agent/attachments/attachedFile.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { modelTextOf } from '../../src/engine/uiMessage.ts';
import { matchesPattern } from '../../src/extension/context/instructionsCommands.ts';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import { openTexts } from '../../src/extension/files/openTexts.ts';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { ask, offshoot, sayOnPage, untilChanged, useModelServer } from './support.ts';

describe('prompt files', () => {
  let api: Offshoot;
  const server = useModelServer(() => answer('done'));
  const files = new FolderFiles();
  const put = (path: string, text: string) => files.write(path, text);
  const remove = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await files.remove(path);
  };

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());
  /** What the Context view says of files of instructions. */
  const instructionRows = async (): Promise<string[]> => {
    const { context, log } = api.parts;
    const tree = new ContextTree(context, log);
    try {
      await context.read();
      const section = (await tree.getChildren()).find(
        (node) => node.kind === 'section' && node.section === 'instructions',
      );
      const nodes = section ? await tree.getChildren(section) : [];
      const rows: string[] = [];
      for (const node of nodes) {
        if (node.kind !== 'instructionsFile' && node.kind !== 'unusedInstructions') continue;
        const { label, description } = await tree.getTreeItem(node);
        assert.ok(typeof label === 'string' && typeof description === 'string');
        rows.push(`${label}: ${description}`.replace(/\d+ tokens/u, 'N tokens'));
      }
      return rows;
    } finally {
      tree.dispose();
    }
  };
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('are found when they are made, changed and deleted, and what they say goes with the question', async () => {
    const { prompts } = api.parts;
    try {
      assert.deepEqual(await prompts.list(), []);
      assert.deepEqual(await prompts.take('/review names'), [], 'a text like any other');
      await put(
        '.offshoot/prompts/review.md',
        '---\ndescription: one\n---\nReview ${input:what} in ${file}: ${selection}',
      );
      assert.deepEqual(await prompts.list(), [
        { name: 'review', description: 'one', path: '.offshoot/prompts/review.md', takesInput: true },
      ]);
      await put(
        '.offshoot/prompts/review.md',
        '---\ndescription: two\nagent: ask\ntools: [read, none]\n---\nReview ${input:what} in ${file}: ${selection}',
      );
      assert.equal((await prompts.list())[0]?.description, 'two');
      await put('prompted.txt', 'first\nsecond\n');
      const editor = await vscode.window.showTextDocument(files.uri('prompted.txt'));
      editor.selection = new vscode.Selection(1, 0, 1, 6);
      const parts = (await prompts.take('/review the names')) ?? assert.fail();
      const prompt = promptOf(parts) ?? assert.fail();
      assert.equal(prompt.mode, 'ask');
      assert.ok(prompt.tools?.includes('read_file') && !prompt.tools.includes('edit_file'));
      assert.deepEqual(prompt.missing, ['none']);
      assert.match(modelTextOf({ parts }), /Review the names in prompted\.txt: second$/);
    } finally {
      await remove('.offshoot', 'prompted.txt');
    }
    assert.deepEqual(await prompts.list(), []);
  });

  it('that a question names send their text, mode and tools, the files they name and instructions for those', async () => {
    try {
      await put('AGENTS.md', 'Use tabs.');
      await put('greeting.ts', 'export {};');
      await put('.github/instructions/typed.instructions.md', '---\napplyTo: **/*.ts\n---\nName types.');
      await put('.github/instructions/docs.instructions.md', '---\napplyTo: "docs/**"\n---\nWrite well.');
      await put(
        '.github/prompts/explain.prompt.md',
        '---\nagent: ask\ntools: [read, codebase-of-others]\n---\nExplain ${input:what} of [this](../../greeting.ts).',
      );
      await sayOnPage(api, { type: 'sendMessage', text: '/explain the greeting' });
      const chatId = await api.parts.current.chatId();
      await untilChanged(
        api,
        async () =>
          (await api.parts.store.getActiveBranch(chatId))?.messageCount === 2 &&
          api.parts.runs.list(chatId).length === 0,
      );
      const { body } = server().requests.at(-1) ?? assert.fail();
      const sent = JSON.stringify(body.messages.at(-1)?.content);
      assert.match(
        sent,
        /\/explain the greeting.+runs the prompt file \.github\/prompts\/explain\.prompt\.md/,
      );
      assert.match(sent, /Explain the greeting of \[this\]/);
      assert.match(sent, /attached greeting\.ts, which the prompt names/);
      assert.match(sent, /instructions for \*\*\/\*\.ts, in .+typed\.instructions\.md.+Name types\./);
      const names = (body.tools ?? []).map((each) => each.function.name);
      assert.ok(
        names.includes('read_file') && !names.includes('edit_file') && !names.includes('run_command'),
      );
      const system = JSON.stringify(body.messages[0]?.content);
      assert.match(system, /The user has chosen to ask only/);
      assert.match(system, /Use tabs\..+docs\.instructions\.md: for docs\/\*\*/);
      assert.deepEqual(await instructionRows(), [
        'AGENTS.md: N tokens',
        '.github/instructions/typed.instructions.md: N tokens · with a question',
        '.github/instructions/docs.instructions.md: No question was about docs/** yet',
      ]);
      await ask(api, 'and now?');
      const next = server().requests.at(-1)?.body.tools ?? [];
      assert.ok(
        next.some((each) => each.function.name === 'edit_file'),
        'for that question only',
      );
    } finally {
      await remove('AGENTS.md', 'greeting.ts', '.github');
    }
  });

  it('that cannot be read are not run, with the reason', async () => {
    const { prompts } = api.parts;
    try {
      await put('.github/prompts/broken.prompt.md', '---\ntools: [\n---\nDo it.');
      assert.match((await prompts.list())[0]?.problem ?? '', /^its front matter can’t be read/);
      await assert.rejects(prompts.take('/broken'), { code: 'prompt-unusable' });
      assert.deepEqual(await prompts.take('/broken/path'), []);
    } finally {
      await remove('.github');
    }
  });

  it('match files as VS Code’s own globs do', () => {
    const at = { folder: files.uri().toString(), path: 'src/deep/a b.ts' };
    for (const [pattern, isMatch] of [
      ['**/*.ts', true],
      ['*.ts', true],
      ['src/**', true],
      ['/src/**/*.{ts,tsx}', true],
      ['/deep/**', false],
      ['**/*.tsx', false],
      ['[', false],
    ] as const) {
      assert.equal(matchesPattern(pattern, at), isMatch, pattern);
    }
  });

  it('and instructions are in the Context view’s sources: used, waiting for a match, and without effect', async () => {
    const { context, conversations, guarded } = api.parts;
    try {
      await put('typed.ts', 'export {};');
      await put('.github/instructions/typed.instructions.md', '---\napplyTo: **/*.ts\n---\nType it.');
      await put('.github/instructions/broken.instructions.md', '---\napplyTo: [\n---\nx');
      const run = await conversations.ask('first');
      await run.done;
      const before = await context.read();
      assert.deepEqual(
        before.project.conditional.map(({ shown, applyTo }) => [shown, applyTo]),
        [['.github/instructions/typed.instructions.md', ['**/*.ts']]],
      );
      assert.deepEqual(
        before.project.unused.map(({ reason }) => reason.kind),
        ['unreadable'],
      );
      const attached = await attachedFileParts(guarded, { path: 'typed.ts' }, openTexts);
      const next = await conversations.ask('second', attached);
      await next.done;
      const [sent] = (await until(async () => {
        const { path } = await context.read();
        const all = path.messages.flatMap(({ instructions }) => instructions);
        return all.length > 0 && all;
      }, 'what was sent')) as { path: string; tokens: number }[];
      assert.equal(sent?.path, '.github/instructions/typed.instructions.md');
      assert.ok(sent.tokens > 10);
    } finally {
      await remove('.github', 'typed.ts');
    }
  });
});
