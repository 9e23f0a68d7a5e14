import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SUM, SUM_TEST } from '../../fixtures/failingSum.ts';
import { answer, conversationOf, lastQuestion, useTools, type Script } from '../../fixtures/openaiServer.ts';
import { ChatPage } from '../support/chatPage.ts';
import type { Workbench } from '../support/workbench.ts';
import type { Scene } from './scene.ts';

const CHAT = 'fix the failing test';

const FIXES: readonly (readonly [from: string, to: string])[] = [
  ['let total = 1', 'let total = 0'],
  ['let total = 1', 'let total = 2'],
  ['return total', 'return total - 1'],
];

/** Each of several branches fixes it in another way. */
export const ownFilesScript: Script = (request) => {
  if (lastQuestion(request) === CHAT && !conversationOf(request)[0]?.text.includes('go about it like this'))
    return answer('Which way do you want it?');
  if (request.body.messages.at(-1)?.role === 'tool')
    return answer('The sum began wrong. It is mended in `sum.mjs`.');
  const way = /like this: way (\d)/u.exec(conversationOf(request)[0]?.text ?? '')?.[1];
  const [from, to] = FIXES[way === undefined ? 2 : Number(way) - 1] ?? ['', ''];
  return useTools(
    ['write_file', { path: 'sum.mjs', content: SUM.replace(from, to) }],
    ['write_file', { path: 'notes.txt', content: 'what was tried\n' }],
  );
};

const scenes: readonly Scene[] = [
  {
    name: 'race view',
    show: async (workbench) => {
      const { contextMenu, dialog, page, quickInput } = workbench;
      const chat = new ChatPage(workbench);
      await write(workbench, 'sum.mjs', SUM);
      await write(workbench, 'test.mjs', SUM_TEST);
      await chat.ask(CHAT);
      await contextMenu.pickOn(chat.answers.first(), ['Regenerate', 'Race…']);
      await quickInput.shown('Race… (1/4)');
      await quickInput.row('test-model').waitFor();
      await quickInput.accept();
      await quickInput.shown('Race… (2/4)');
      await quickInput.answer('3');
      await quickInput.shown('Race… (3/4)');
      await quickInput.choose('Hints…');
      for (const [index, what] of ['at the beginning', 'quickly', 'at the end'].entries()) {
        await quickInput.widget.getByText(`on branch ${index + 1} of 3`).waitFor();
        await quickInput.answer(`way ${index + 1}, ${what}`);
      }
      await quickInput.shown('Race… (4/4)');
      await quickInput.choose('Other Command…');
      await quickInput.widget.getByText('exit code 0').waitFor();
      await quickInput.answer('node test.mjs');
      await dialog.press('Run Check');
      const rows = racers(workbench);
      await rows.filter({ hasText: 'Check passed' }).nth(1).waitFor({ timeout: 90_000 });
      await rows.filter({ hasText: 'Check failed' }).first().waitFor({ timeout: 90_000 });
      await rows.nth(1).locator('.attempt-title').click();
      await rows.nth(1).locator('.attempt-output').waitFor();
      await page.mouse.move(900, 2);
    },
  },
  {
    name: 'race files in an editor',
    show: async (workbench) => {
      await racers(workbench).first().waitFor();
      await racers(workbench).first().locator('.attempt-title').click();
      await racers(workbench).first().getByRole('button', { name: 'Open sum.mjs' }).click();
      await workbench.page.locator('.tab', { hasText: 'sum.mjs' }).first().waitFor();
    },
    hide: async (workbench) => {
      await workbench.runCommand('workbench.action.closeActiveEditor');
      await racers(workbench).first().waitFor();
    },
  },
  {
    name: 'race conflict',
    show: async (workbench) => {
      await write(workbench, 'sum.mjs', SUM.replace('return total;', 'return total; // as it was'));
      await racers(workbench).nth(2).getByRole('button', { name: 'Keep' }).click();
      await workbench.dialog.message();
    },
    hide: (workbench) => workbench.dialog.press('Cancel'),
  },
  {
    name: 'race in a merge editor',
    show: async (workbench) => {
      await racers(workbench).nth(2).getByRole('button', { name: 'Keep' }).click();
      await workbench.dialog.press('Resolve in Merge Editor');
      await workbench.page.locator('.merge-editor .view-line', { hasText: 'as it was' }).first().waitFor();
    },
  },
];

const racers = (workbench: Workbench) => workbench.panel.locator('.attempt');

const write = ({ folder }: Workbench, name: string, text: string): Promise<void> =>
  writeFile(path.join(folder, name), text);

export function ownFilesScenes(): readonly Scene[] {
  return scenes;
}
