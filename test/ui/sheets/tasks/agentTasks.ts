import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenAiServer } from '../../../fixtures/openaiServer.ts';
import { ChatPage } from '../../support/chatPage.ts';
import type { Workbench } from '../../support/workbench.ts';
import type { Scene } from '../scene.ts';
import { files } from './script.ts';
import type { Task } from './task.ts';

async function writeFiles({ folder }: Workbench): Promise<void> {
  for (const { path: name, text } of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

async function openFile(workbench: Workbench, name: string): Promise<void> {
  await workbench.runCommand('workbench.action.quickOpen');
  await workbench.quickInput.type(name);
  await workbench.quickInput.row(name).first().waitFor();
  await workbench.quickInput.choose(name);
  await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
}

const lenses = (workbench: Workbench, name: string) =>
  workbench.page.locator('.codelens-decoration a', { hasText: name });

const agent: readonly Scene[] = [
  {
    name: 'done',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await writeFiles(workbench);
      await chat.send('Greet by the time of day in all three files');
      await chat.message('the tests pass').waitFor();
      await chat.openPanel('review');
    },
  },
  {
    name: 'lenses of hunks',
    of: 'editor',
    show: async (workbench) => {
      await openFile(workbench, 'greet.ts');
      await lenses(workbench, 'Undo').nth(1).waitFor();
    },
  },
  {
    name: 'one hunk rejected',
    show: async (workbench) => {
      await lenses(workbench, 'Undo').first().click();
      await lenses(workbench, 'Undo').nth(1).waitFor({ state: 'detached' });
      await new ChatPage(workbench).openPanel('review');
    },
  },
  {
    name: 'rewinding with files',
    of: 'quickInput',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.contextMenu.pickOn(chat.message('Greet by the time'), 'Rewind to Here');
      await workbench.quickInput.row('Conversation and Files').waitFor();
    },
  },
  {
    name: 'rewound with files',
    show: async (workbench) => {
      await workbench.quickInput.choose('Conversation and Files');
      await new ChatPage(workbench).messages.first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'undone',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.undo');
      const chat = new ChatPage(workbench);
      await chat.message('the tests pass').waitFor();
      await chat.openPanel('review');
      await lenses(workbench, 'Undo').first().waitFor();
    },
  },
  {
    name: 'redone',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.redo');
      await new ChatPage(workbench).messages.first().waitFor({ state: 'detached' });
    },
  },
];

/** Answers what a tool asks by a key, with the focus on a button. */
async function press(workbench: Workbench, button: string, key: string): Promise<void> {
  const { frame } = new ChatPage(workbench);
  await frame
    .getByRole('button', { name: button, exact: true })
    .last()
    .and(frame.locator('[aria-disabled="false"]'))
    .focus();
  await workbench.page.keyboard.press(key);
}

const approvals: readonly Scene[] = [
  {
    name: 'edit asked for',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await writeFiles(workbench);
      await chat.send('Change the greeting');
      await chat.frame.locator('.approval').waitFor();
      await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    },
  },
  { name: 'edit in the side bar', of: 'sidebar', show: () => Promise.resolve() },
  {
    name: 'ways to allow',
    of: 'sidebar',
    show: async (workbench) => {
      await new ChatPage(workbench).frame.getByRole('button', { name: 'More Ways to Allow' }).first().click();
    },
  },
  {
    name: 'edits in this chat allowed by keys',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await press(workbench, 'Allow All Edits in This Chat', 'Enter');
      await chat.message('good morning now').waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'next edit not asked for',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await writeFiles(workbench);
      await chat.send('Change the greeting once more');
      await chat.messages.filter({ hasText: 'good morning now' }).nth(1).waitFor();
    },
  },
  {
    name: 'command allowed by a key',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.send('Run the checks');
      await press(workbench, 'Allow Once', 'Control+Enter');
      await chat.message('The checks pass.').waitFor();
    },
  },
  {
    name: 'risky command',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.send('Now something risky');
      await chat.frame.locator('.approval').waitFor();
    },
  },
  {
    name: 'denied by a key',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await press(workbench, 'Allow Once', 'Escape');
      await chat.message('It was not run.').waitFor();
    },
  },
];

const windows = (server: OpenAiServer): readonly Scene[] => {
  let other: Workbench | undefined;
  return [
    {
      name: 'both asked',
      of: 'sidebar',
      show: async (workbench) => {
        const chat = new ChatPage(workbench);
        await chat.ask('How would you split this function?');
        other = await workbench.anotherWindow();
        const second = new ChatPage(other);
        await other.openOffshoot();
        await second.message('changes together').waitFor();
        await second.send('A long answer, please');
        await chat.message('A queue keeps').waitFor();
        await chat.send('And which table is there?');
        await chat.segment('queue').waitFor();
      },
    },
    {
      name: 'reloaded in mid-answer',
      of: 'sidebar',
      show: async (workbench) => {
        const chat = new ChatPage(workbench);
        await other?.page.close();
        await workbench.reload();
        await workbench.openOffshoot();
        await chat.message('A queue keeps').waitFor();
      },
    },
    {
      name: 'server gone',
      of: 'sidebar',
      show: async (workbench) => {
        const chat = new ChatPage(workbench);
        await chat.startNew();
        await server[Symbol.asyncDispose]();
        await chat.send('Is anybody there?');
        await chat.frame.locator('.status.failed').waitFor({ timeout: 60_000 });
      },
    },
  ];
};

const undoable = { 'offshoot.tools.edits': 'reviewAfterwards', 'offshoot.commands.allow': ['echo'] };

export const agentTask: Task = { name: 'a task for the agent', settings: undoable, steps: () => agent };

export const approvalTask: Task = { name: 'approvals', steps: () => approvals };

export const windowsTask: Task = { name: 'two windows', steps: windows };
