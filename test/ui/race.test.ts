import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SUM, SUM_TEST } from '../fixtures/failingSum.ts';
import {
  answer,
  conversationOf,
  lastQuestion,
  useTools,
  type RecordedRequest,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';

const FIXES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  beginning: ['let total = 1', 'let total = 0'],
  quickly: ['let total = 1', 'let total = 2'],
  end: ['return total', 'return total - 1'],
};

const hintIn = (request: RecordedRequest): string =>
  /go about it like this: (?:at the )?(\w+)/u.exec(conversationOf(request)[0]?.text ?? '')?.[1] ?? '';

describe('a race in the workbench', () => {
  const use = useChat(
    (request) => {
      const [from, to] = FIXES[hintIn(request)] ?? [];
      if (from === undefined || to === undefined) return answer(`You said ${lastQuestion(request)}`);
      return request.body.messages.at(-1)?.role === 'tool'
        ? answer(`The sum began wrong. \`${to}\` mends it.`)
        : useTools(['write_file', { path: 'sum.mjs', content: SUM.replace(from, to) }]);
    },
    { settings: { 'offshoot.tools.edits': 'reviewAfterwards' }, viewport: { width: 1400, height: 900 } },
  );
  const file = (name: string): string => path.join(use().workbench.folder, name);

  it('is chosen, checked, compared, and one is kept; Undo takes it back byte for byte', async function () {
    this.timeout(300_000);
    const { chat, workbench } = use();
    const { contextMenu, dialog, notifications, panel, quickInput } = workbench;
    const rows = panel.locator('.attempt');
    const row = (hint: string) => rows.filter({ hasText: hint });
    const typed = SUM.replace('return total;', 'return total; // as it was');

    await step('a failing test is there', async () => {
      await writeFile(file('sum.mjs'), SUM);
      await writeFile(file('test.mjs'), SUM_TEST);
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@localhost', ...args], {
          cwd: workbench.folder,
        });
      git('init', '--quiet');
      git('add', '--all');
      git('commit', '--quiet', '-m', 'Begin');
    });
    await step('what races is chosen', async () => {
      await chat.ask('Fix the failing test');
      await contextMenu.pickOn(chat.answers.first(), ['Regenerate', 'Race…']);
      await quickInput.shown('Race… (1/4)');
      await quickInput.row('test-model').waitFor();
      await quickInput.accept();
      await quickInput.shown('Race… (2/4)');
      await quickInput.answer('3');
      await quickInput.shown('Race… (3/4)');
      await quickInput.choose('Hints…');
      for (const hint of ['at the beginning', 'quickly', 'at the end']) {
        const count = ['at the beginning', 'quickly', 'at the end'].indexOf(hint) + 1;
        await quickInput.widget.getByText(`on branch ${count} of 3`).waitFor();
        await quickInput.answer(hint);
      }
      await quickInput.shown('Race… (4/4)');
      await quickInput.choose('Other Command…');
      await quickInput.widget.getByText('exit code 0').waitFor();
      await quickInput.answer('node test.mjs');
      assert.match(await dialog.message(), /Run “node test\.mjs” in each branch when it is done\?/u);
      await dialog.press('Run Check');
    });
    await step('each is checked when it is done', async () => {
      await row('at the beginning').getByText('Check passed').waitFor({ timeout: 90_000 });
      await row('quickly').getByText('Check failed (1)').waitFor({ timeout: 90_000 });
      await row('at the end').getByText('Check passed').waitFor({ timeout: 90_000 });
      assert.equal(await readFile(file('sum.mjs'), 'utf8'), SUM, 'the workspace is as it was');
      await row('quickly').locator('.attempt-title').click();
      await row('quickly').getByText('sum([1, 2]) is 5, not 3').waitFor();
    });
    await step('it is seen in every theme, and beside a narrow sidebar', async () => {
      for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast'] as const) {
        await workbench.setTheme(theme);
        await workbench.screenshot(`race ${theme}`);
      }
      await workbench.setTheme('Default Dark Modern');
      await workbench.setSidebarWidth(240);
      await workbench.screenshot('race beside a narrow sidebar');
    });
    await step('two are compared', async () => {
      await row('at the beginning')
        .getByRole('button', { name: /^Compare .* with another branch$/u })
        .click();
      await quickInput.shown();
      await workbench.screenshot('race compared with');
      await quickInput.accept();
      await workbench.page.locator('.monaco-diff-editor .line-insert').first().waitFor();
      await workbench.screenshot('race compared');
      await workbench.runCommand('workbench.action.closeActiveEditor');
      await rows.first().waitFor();
    });
    await step(
      'what the user typed conflicts with one, which changes nothing until they decide',
      async () => {
        await writeFile(file('sum.mjs'), typed);
        await row('at the end').getByRole('button', { name: 'Keep' }).click();
        assert.match(await dialog.message(), /Some files changed in the workspace and on the branch\./u);
        await workbench.screenshot('race conflict');
        await dialog.press('Cancel');
        await chat.frame.getByText('You said Fix the failing test').waitFor();
        assert.equal(await readFile(file('sum.mjs'), 'utf8'), typed);
      },
    );
    await step('another is kept in what the user typed, and taken back', async () => {
      await row('at the beginning').getByRole('button', { name: 'Keep' }).click();
      const holds = (text: string) =>
        until(async () => (await readFile(file('sum.mjs'), 'utf8')) === text, text);
      await holds(typed.replace('= 1', '= 0'));
      await workbench.screenshot('race kept');
      await notifications.press('Kept 1 file of', 'Undo');
      await holds(typed);
    });
  });
});
