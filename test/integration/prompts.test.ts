import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { promptOf } from '../../src/agent/attachments/attachedPrompt.ts';
import { attachedFileParts } from '../../src/agent/attachments/attachedFile.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { modelTextOf } from '../../src/engine/uiMessage.ts';
import { matchesPattern } from '../../src/extension/instructions/matchesPattern.ts';
import { answer } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { FolderFiles } from './folderFiles.ts';
import { offshoot, useModelServer } from './support.ts';

describe('prompt files', () => {
  let api: Offshoot;
  useModelServer(() => answer('done'));
  const files = new FolderFiles();
  const put = (path: string, text: string) => files.write(path, text);
  const remove = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await files.remove(path);
  };

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());
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
      const next = await conversations.ask('second', await attachedFileParts(guarded, { path: 'typed.ts' }));
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
