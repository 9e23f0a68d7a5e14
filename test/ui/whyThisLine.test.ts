import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion, useTools } from '../fixtures/openaiServer.ts';
import type { Locator } from 'playwright-core';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { themes, type Theme } from './support/settings.ts';
import { useChat } from './support/useChat.ts';
import type { Workbench } from './support/workbench.ts';

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

const lineIn = ({ page }: Workbench, text: string): Locator =>
  page.locator('.monaco-editor .view-line', { hasText: text.replaceAll(' ', '\u00A0') });

/** What is shown over a line, once it is. The first may come while the language of the file is still being read. */
async function hoverIn(
  workbench: Workbench,
  { text, question, away }: { readonly text: string; readonly question: string; readonly away: string },
): Promise<Locator> {
  const hover = workbench.page.locator('.monaco-hover:visible', { hasText: `“${question}”` });
  const over = (line: string, x: number): Promise<void> =>
    lineIn(workbench, line)
      .first()
      .hover({ position: { x, y: 9 }, timeout: 5_000 });
  await until(async () => {
    await over(away, 20);
    await over(text, 60);
    return hover.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
  }, `the question over ${text}`);
  return hover;
}

async function screenshots(workbench: Workbench, name: string): Promise<void> {
  for (const theme of Object.keys(themes) as Theme[]) {
    await workbench.setTheme(theme);
    await workbench.screenshot(`${name} ${theme}`);
  }
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
  const line = (text: string): Locator => lineIn(use().workbench, text);
  const hoverOver = (text: string, question: string): Promise<Locator> =>
    hoverIn(use().workbench, { text, question, away: 'const first' });
  const press = (hover: Locator, action: string): Promise<void> =>
    hover.locator('a', { hasText: action }).first().click();
  const inEveryTheme = (name: string): Promise<void> => screenshots(use().workbench, name);

  it('is told over it, in the words of the question, with what it replaced', async () => {
    const { chat, workbench } = use();
    const { page } = workbench;
    await writeFile(path.join(workbench.folder, 'sums.ts'), START);
    await chat.send('Make it double');
    await chat.message('Done: Make it double').waitFor();
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type('sums.ts');
    await workbench.quickInput.choose('sums.ts');
    const hover = await hoverOver('const second = double', 'Make it double');
    await hover.getByText('Step 1 · test-model').waitFor();
    await until(
      async () => (await page.locator('.cgmr[class*="codicon"], .glyph-margin-widgets .cgmr').count()) === 2,
      'two marks',
    );
    await inEveryTheme('why this line');
    await press(hover, 'Show What It Replaced');
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

    await press(await hoverOver('const second = triple', 'Make it triple'), 'Other Attempts');
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

  it('shows its message, on another branch as a preview, and goes back before it', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    await press(await hoverOver('const second = triple', 'Make it triple'), 'Show Message');
    await chat.frame.locator('.message:focus', { hasText: 'Edit sums.ts' }).waitFor();
    await press(await hoverOver('const second = triple', 'Make it triple'), 'Rewind to Before This');
    await quickInput.choose('Conversation Only');
    await chat.frame
      .getByText('A conversation that branches')
      .or(chat.frame.locator('.composer'))
      .first()
      .waitFor();
    await until(async () => (await chat.messages.count()) < 2, 'the conversation before it');
    await press(await hoverOver('const second = triple', 'Make it triple'), 'Show Message');
    await page.getByRole('tab', { name: /^Preview: / }).waitFor();
    await workbench.notifications.press('Previewing branch', 'Switch to Branch');
    await chat.message('Done: Make it triple').waitFor();
    await workbench.runCommand('workbench.action.closeActiveEditor');
    await line('const second = triple').first().waitFor();
  });

  it('has its mark all the time, dashed where it was changed since, or its question above it', async () => {
    const { workbench } = use();
    const { page, quickInput } = workbench;
    const { keyboard } = page;
    const asWritten = await readFile(path.join(workbench.folder, 'sums.ts'));
    const marks = (): Promise<{ readonly top: number; readonly isDashed: boolean }[]> =>
      page.evaluate(`[...document.querySelectorAll('.glyph-margin-widgets .cgmr')].map((mark) => {
        const [, svg = ''] = /base64,([^")]+)/u.exec(getComputedStyle(mark).backgroundImage) ?? [];
        const isDashed = atob(svg).includes('stroke-dasharray');
        return { top: Math.round(mark.getBoundingClientRect().top), isDashed };
      })`);
    const topOf = async (text: string): Promise<number> =>
      Math.round((await line(text).first().boundingBox())?.y ?? 0);
    await workbench.changeUserSetting('offshoot.lineMarks', 'always');
    await page.mouse.move(0, 0);
    await until(async () => (await marks()).length === 2, 'two marks');
    await line('const third').first().click();
    await line('const more').first().click();
    await keyboard.press('End');
    await keyboard.type(' // mine');
    await keyboard.press('Control+Home');
    await keyboard.type('let above;\n');
    await line('const more = [second]; // mine').first().waitFor();
    await until(async () => {
      const found = (await marks()).sort((one, other) => one.top - other.top);
      assert.deepEqual(found, [
        { top: await topOf('const second = triple'), isDashed: false },
        { top: await topOf('const more'), isDashed: true },
      ]);
      return true;
    }, 'the marks at their lines');
    await inEveryTheme('lines marked all the time');

    await workbench.changeUserSetting('offshoot.lineMarks', 'codeLens');
    const lens = page.locator('.codelens-decoration a', {
      hasText: '“Make it triple” · Step 1 · test-model',
    });
    await lens.first().waitFor();
    await until(async () => (await marks()).length === 0, 'no marks');
    await inEveryTheme('question above a line');
    await lens.first().click();
    await quickInput.shown('“Make it triple”');
    assert.deepEqual(
      (await quickInput.rows()).map(({ label }) => label),
      ['Show Message', 'Show What It Replaced', 'Other Attempts', 'Rewind to Before This'],
    );
    await inEveryTheme('actions of a line');
    await quickInput.choose('Show What It Replaced');
    await page
      .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'triple' })
      .first()
      .waitFor();
    await workbench.runCommand('workbench.action.closeActiveEditor');
    await workbench.changeUserSetting('offshoot.lineMarks', 'hover');
    await until(async () => (await lens.count()) === 0, 'no question above the line');
    await workbench.runCommand('workbench.action.files.save');
    await writeFile(path.join(workbench.folder, 'sums.ts'), asWritten);
    await line('let above').waitFor({ state: 'detached' });
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
    await workbench.setSidebarWidth(240);
    await inEveryTheme('search for lines in the view');
    await view.locator('.monaco-list').press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await chat.frame.locator('.message:focus, .message :focus').first().waitFor();
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
    await inEveryTheme('search for lines');
    await quickInput.choose('Make it double');
    await page.getByRole('tab', { name: 'Preview: Main line' }).waitFor();
  });

  it('is copied with what else was asked and done there, and a link that leads back if one wants it', async () => {
    const { chat, workbench } = use();
    const { quickInput } = workbench;
    const asked = [
      'Make it triple\n\nAsked:\n- Make it triple\n- What does sums.ts:2 do?',
      'Files:\n- sums.ts (changed)',
    ].join('\n\n');
    await workbench.tree.pick('Make it triple', ['Copy and Export', 'Copy for Commit…']);
    await quickInput.shown('Copy “Make it triple” for a Commit');
    await inEveryTheme('copy for commit');
    await quickInput.accept();
    await workbench.notifications.find('Paste it into a commit message or a pull request.');
    await soon.equal(() => workbench.clipboard(), asked);

    await workbench.runCommand('offshoot.exportActions');
    await quickInput.choose('Copy for Commit…');
    await quickInput.toggle('Link to the Chat');
    await quickInput.accept();
    await until(async () => (await workbench.clipboard()) !== asked, 'the other text');
    const [text, link = ''] = (await workbench.clipboard()).split('\n\nOffshoot-Chat: ');
    assert.equal(text, asked);
    await workbench.runCommand('offshoot.newChat');
    await until(async () => (await chat.messages.count()) === 0, 'the new chat');
    await workbench.runCommand('offshoot.openLink', link);
    await chat.message('Done: Make it triple').waitFor();
  });
});

describe('why a line is there that another program wrote', () => {
  const use = useChat(undefined, {
    settings: { 'editor.hover.delay': 100, 'editor.lightbulb.enabled': 'off' },
  });

  it('is told over it by the session of another program, once that is imported', async () => {
    const { chat, workbench } = use();
    const { page, quickInput } = workbench;
    const file = path.join(workbench.folder, 'notes.ts');
    const notes = 'export const notes = read();\nnotes.push(sum);\n';
    // Both before the first search for files to open: a later one may not see what is new.
    await writeFile(file, `// Mine.\n${notes}`);
    await writeFile(path.join(workbench.folder, 'session.jsonl'), sessionThatWrote(file, notes));
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
    const question = 'Keep notes of the sums';
    const hover = await hoverIn(workbench, { text: 'notes.push', question, away: '// Mine.' });
    await hover.getByText(/claude-sonnet-4-5 · .* · imported from Claude Code/u).waitFor();
    assert.equal(await hover.getByText('Show What It Replaced').count(), 0);
    await screenshots(workbench, 'why this line imported');
    await hover.getByText('Show Message').first().click();
    await chat.message('Keep notes of the sums').waitFor();
  });
});
