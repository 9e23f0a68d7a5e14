import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { answer, lastQuestion, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

const START = 'const first = 1;\nconst second = 2;\nconst third = 3;\n';

/** A session of Claude Code that wrote a file, as a line for each entry. */
function sessionThatWrote(file: string, content: string): string {
  const common = { isSidechain: false, sessionId: 'notes', cwd: path.dirname(file) };
  const call = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path: file, content } };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'File created' };
  const messages = [
    { role: 'user', content: 'Keep notes of the sums' },
    { id: 'msg_1', role: 'assistant', model: 'claude-sonnet-4-5', content: [call] },
    { role: 'user', content: [result] },
    {
      id: 'msg_2',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: 'Kept.' }],
    },
  ];
  const entries = messages.map((message, index) => ({
    ...{ ...common, type: message.role, uuid: `m${index}`, parentUuid: index === 0 ? null : `m${index - 1}` },
    ...{ timestamp: `2026-01-02T10:00:0${index}.000Z`, message },
  }));
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

describe('why a line is there', () => {
  const use = useChat(
    (request) => {
      const question = lastQuestion(request);
      if (request.body.messages.at(-1)?.role === 'tool' || question.startsWith('What'))
        return answer(`Done: ${question}`);
      const newText = `const second = ${question.split(' ').at(-1) ?? ''}(first);\nconst more = [second];\n`;
      return useTools([
        'edit_file',
        { path: 'sums.ts', edits: [{ oldText: 'const second = 2;\n', newText }] },
      ]);
    },
    {
      settings: {
        'offshoot.tools.edits': 'reviewAfterwards',
        'editor.hover.delay': 100,
        'editor.lightbulb.enabled': 'off',
      },
    },
  );
  const line = (text: string) =>
    use().workbench.page.locator('.monaco-editor .view-line', { hasText: text.replaceAll(' ', '\u00A0') });

  /** The first hover may come while the language of the file is still being read, without what is told: then once more. */
  const pointAt = (text: string, elsewhere: string, hover: Locator): Promise<boolean> =>
    until(async () => {
      await line(elsewhere)
        .first()
        .hover({ position: { x: 2, y: 5 } });
      await line(text)
        .first()
        .hover({ position: { x: 60, y: 9 } });
      return hover.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    }, `what is told over ${text}`);

  // The search for files to open may not see later ones.
  before('write a file that another program wrote', async () => {
    const { folder } = use().workbench;
    const file = path.join(folder, 'notes.ts');
    const notes = 'export const notes = read();\nnotes.push(sum);\n';
    await writeFile(file, `// Mine.\n${notes}`);
    await writeFile(path.join(folder, 'session.jsonl'), sessionThatWrote(file, notes));
  });

  it('is told over it, in the words of the question, with what it replaced', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await writeFile(path.join(workbench.folder, 'sums.ts'), START);
    await chat.send('Make it double');
    await chat.message('Done: Make it double').waitFor();
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('sums.ts');
    await workbench.quickInput.choose('sums.ts');
    const hover = page.locator('.monaco-hover:visible', { hasText: '“Make it double”' });
    await pointAt('const second = double', 'const first', hover);
    await hover.getByText('Step 1 · test-model').waitFor();
    await until(
      async () => (await page.locator('.cgmr[class*="codicon"], .glyph-margin-widgets .cgmr').count()) === 2,
      'two marks',
    );
    for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`why this line ${theme}`);
    }
    await hover
      .getByRole('link', { name: 'Show What It Replaced' })
      .or(hover.getByText('Show What It Replaced'))
      .first()
      .click();
    await page
      .locator('.monaco-diff-editor .editor.original .view-line', { hasText: 'second' })
      .first()
      .waitFor();
  });

  it('leads back before it, and to what was tried on another branch, from a command as well', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    await workbench.runCommand('workbench.action.closeActiveEditor');
    await line('const second = double').first().click();
    await workbench.runCommand('offshoot.whyThisLine');
    await quickInput.choose('Rewind to Before This');
    await quickInput.choose('Conversation and Files');
    await line('const second = 2;').first().waitFor();
    await chat.send('Make it triple');
    await chat.message('Done: Make it triple').waitFor();

    await line('const second = triple').first().click();
    await workbench.runCommand('offshoot.whyThisLine');
    await quickInput.choose('Other Attempts');
    await quickInput.choose('Make it double');
    await page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'double' })
      .first()
      .waitFor();
    await workbench.runCommand('workbench.action.closeActiveEditor');
    await line('const first').first().click();
    await workbench.runCommand('offshoot.whyThisLine');
    await workbench.notifications.find('No recorded step of a chat wrote line 1.');
  });

  it('is found by all that was done and said about it, from the menu of the editor', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    await chat.send('What does sums.ts:2 do?');
    await chat.message('Done: What does sums.ts:2 do?').waitFor();
    await line('const second = triple').first().click();
    await workbench.contextMenu.pickOn(line('const second = triple').first(), 'Search Chats for These Lines');
    const view = page.locator('.sidebar .pane', { hasText: 'Search' }).last();
    await view.getByText('4 messages in 1 chat').waitFor();
    await view.locator('.monaco-list-row', { hasText: 'wrote these lines' }).first().waitFor();
    await workbench.screenshot('search for lines in the view');
    await workbench.runCommand('offshoot.search');
    await quickInput.type('sums.ts:2');
    for (const [question, why] of [
      ['Make it triple', 'wrote these lines · Make it double · Make it triple'],
      ['Make it double', 'wrote these lines · Make it double · Main line'],
      ['What does sums.ts:2 do?', 'names these lines'],
    ] as const)
      await page
        .locator('.quick-input-list .monaco-list-row', { hasText: question })
        .filter({ hasText: why })
        .first()
        .waitFor();
    await workbench.screenshot('search for lines');
    await quickInput.choose('Make it double');
    await page.getByRole('tab', { name: 'Preview: Main line' }).waitFor();
  });

  it('is told over it by the session of another program, once that is imported', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    const open = async (name: string): Promise<void> => {
      await workbench.runCommand('workbench.action.quickOpen');
      await quickInput.type(name);
      await quickInput.choose(name);
      await page.locator('.tab.active', { hasText: name }).waitFor();
    };
    await open('session.jsonl');
    await page.getByRole('button', { name: 'Open in Offshoot' }).click();
    await chat.message('Kept.').waitFor();
    await open('notes.ts');
    const hover = page.locator('.monaco-hover:visible', { hasText: '“Keep notes of the sums”' });
    await pointAt('notes.push', '// Mine.', hover);
    await hover.getByText(/claude-sonnet-4-5 · .* · imported from Claude Code/u).waitFor();
    assert.equal(await hover.getByText('Show What It Replaced').count(), 0);
    for (const theme of ['Default Dark Modern', 'Default Light Modern'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`why this line imported ${theme}`);
    }
    await hover.getByText('Show Message').first().click();
    await chat.message('Keep notes of the sums').waitFor();
  });
});
