import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  answer,
  cut,
  finish,
  hang,
  lastQuestion,
  pause,
  refuse,
  say,
  toolResultsOf,
  usage,
  useTools,
  type Script,
} from '../../fixtures/openaiServer.ts';
import { ChatPage } from '../support/chatPage.ts';
import type { Scene } from './scene.ts';

const split = [
  'Split it by **what changes together**:',
  '1. reading the input,\n2. deciding,\n3. writing the output.',
  '```ts\nexport function total(items: readonly Item[]): number {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n```',
].join('\n\n');

/** Answers what the scenes ask. */
export const askedScript: Script = (request) => {
  const question = lastQuestion(request);
  if (question.includes('greeting')) {
    if (toolResultsOf(request).length > 0) return answer('It says hello now.');
    const edit = { path: 'notes.md', oldText: 'GREETING', newText: 'Hello, and GREETING' };
    return [say('I change the first line.'), ...useTools(['edit_file', edit])];
  }
  if (question.startsWith('Summarize this part'))
    return [say('The parser was split.'), usage(420, 9), finish()];
  if (question.includes('tool')) return [say('One moment.'), pause('tools'), hang()];
  if (question.includes('break')) return [say('Half an answer, and then'), cut()];
  if (question.includes('key')) return refuse(401);
  return [say(split), usage(420, 96), finish()];
};

const ledgerRows = ['Messages kept always', 'Rules you set', 'What you asked for'];

const scenes: readonly Scene[] = [
  {
    name: 'streaming',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask('How would you split this function?');
      await chat.send('Which tools would you use for it?');
      await chat.message('One moment.').waitFor();
      await workbench.tree.root.locator('.monaco-list-row').nth(0).waitFor();
    },
    hide: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.stopButton.click();
      await chat.answered(2);
    },
  },
  {
    name: 'context with a price',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.contextView.open();
      await workbench.contextView.row('Cost').waitFor();
    },
  },
  {
    name: 'ledger that a summary would have in the context view',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask(
        'Always use tabs. Never change the files below vendor. Please split the lexer, too: we keep it in one module, because it is small.',
      );
      await chat.ask('And the writer?');
      await workbench.contextMenu.pickOn(chat.message('How would you split this function?'), [
        'Keep This Message Always',
      ]);
      await chat.frame.getByText('Always sent to the model').waitFor();
      await workbench.tree.fold();
      await workbench.contextView.open();
      for (const row of ['Ledger after the next summary', ...ledgerRows]) {
        await workbench.contextView.expand(row);
      }
    },
    hide: (workbench) => workbench.contextView.collapse('Ledger after the next summary'),
  },
  {
    name: 'ledger in the context view',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.runCommand('offshoot.summarizeContext');
      await chat.message('The parser was split.').waitFor();
      for (const row of ['Ledger', ...ledgerRows]) {
        await workbench.contextView.expand(row);
      }
    },
    hide: (workbench) => workbench.tree.open(),
  },
  {
    name: 'context document with a price',
    of: 'editor',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.inspectContext');
      await workbench.page.locator('.editor-instance .view-line').first().waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'alternatives',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.contextMenu.pickOn(chat.answers.first(), ['Regenerate', 'Generate Alternatives…']);
      await workbench.quickInput.shown('Generate Alternatives… (1/3)');
      await workbench.quickInput.row('test-model').waitFor();
      await workbench.quickInput.accept();
      await workbench.quickInput.shown('Generate Alternatives… (2/3)');
      await workbench.quickInput.answer('2');
      await workbench.quickInput.shown('Generate Alternatives… (3/3)');
      await workbench.quickInput.answer('0.4');
      await workbench.panel.locator('.try').nth(2).getByText('writing the output').waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'approval of a change',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await writeFile(path.join(workbench.folder, 'notes.md'), '# Notes\n\nGREETING to all\n');
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      await chat.send('Change the greeting in the notes');
      await chat.frame.getByRole('alert').filter({ hasText: 'Allow edit to notes.md?' }).waitFor();
      await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    },
  },
  {
    name: 'approval in the side bar',
    of: 'sidebar',
    show: () => Promise.resolve(),
    hide: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.decide('Deny');
      await chat.answered(1);
    },
  },
  {
    name: 'failed run',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.send('Will it break?');
      await chat.frame.locator('.status.failed').waitFor();
    },
  },
  {
    name: 'lost key',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.send('And without a key?');
      await chat.frame.getByRole('button', { name: 'Set API Key…' }).waitFor();
    },
  },
];

/** What is to be seen while a model works, and when it fails. */
export function askedScenes(): readonly Scene[] {
  return scenes;
}
