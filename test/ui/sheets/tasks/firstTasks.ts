import { ChatPage } from '../../support/chatPage.ts';
import type { Workbench } from '../../support/workbench.ts';
import type { Scene } from '../scene.ts';
import type { Task } from './task.ts';

const REWINDS = 20;

/** Asks the last question again in other words, by a rewind to it. */
async function askAgain(workbench: Workbench, question: string, again: string): Promise<void> {
  const chat = new ChatPage(workbench);
  await workbench.contextMenu.pickOn(chat.messages.filter({ hasText: question }).first(), 'Rewind to Here');
  await chat.frame.locator('.message.user').waitFor({ state: 'detached' });
  await chat.ask(again);
}

const firstMinute: readonly Scene[] = [
  {
    name: 'opened',
    of: 'sidebar',
    show: async (workbench) => {
      await new ChatPage(workbench).frame.getByText('A conversation that branches').waitFor();
    },
  },
  {
    name: 'answered',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask('Explain what a closure is, with an example');
      await chat.message('Closures').waitFor();
    },
  },
  {
    name: 'asked for the agent',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.send('Show me the agent at work on a sample file');
      await chat.frame.locator('.approval').waitFor();
    },
  },
  {
    name: 'agent done',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.decide('Allow All Edits in This Chat');
      await chat.frame.locator('.approval', { hasText: 'cat' }).waitFor();
      await chat.decide('Allow Once');
      await chat.message('all of it can be undone').waitFor();
    },
  },
  {
    name: 'rewinding',
    of: 'quickInput',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.contextMenu.pickOn(chat.message('Show me the agent'), 'Rewind to Here');
      await workbench.quickInput.row('Conversation and Files').waitFor();
    },
  },
  {
    name: 'rewound',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.quickInput.choose('Conversation and Files');
      await chat.message('Show me the agent').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'back',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.undo');
      await new ChatPage(workbench).message('all of it can be undone').waitFor();
    },
  },
];

const wrongAnswer: readonly Scene[] = [
  {
    name: 'corrected',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask('How would you split this function?');
      await askAgain(workbench, 'How would you split', 'Which table of ways is there?');
      await chat.message('By chunks').waitFor();
    },
  },
  {
    name: 'went back',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.frame
        .getByRole('button', { name: /^Version 1 of 2/ })
        .first()
        .click();
      await chat.message('changes together').waitFor();
    },
  },
  {
    name: 'compared',
    of: 'editor',
    show: async (workbench) => {
      const { quickInput } = workbench;
      await workbench.runCommand('offshoot.compareBranches');
      await quickInput.shown('Select a branch to compare');
      await quickInput.choose('Main line');
      await quickInput.choose('Which table of ways is there?');
      await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'answers side by side',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.runCommand('offshoot.regenerate');
      await chat.frame.getByText('2/2').first().waitFor();
      await chat.answered(1);
      await workbench.runCommand('offshoot.compareAnswers');
      await workbench.panel.locator('.try').nth(1).waitFor();
    },
  },
  {
    name: 'one kept',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.panel.getByRole('button', { name: 'Use This Response' }).last().click();
      await workbench.panel.locator('.try').first().waitFor({ state: 'detached' });
      await chat.message('changes together').waitFor();
    },
  },
  {
    name: 'after twenty rewinds',
    of: 'sidebar',
    show: async (workbench) => {
      let before = 'How would you split';
      for (let times = 1; times <= REWINDS; times += 1) {
        const question = `Try ${times}: split it by another rule`;
        await askAgain(workbench, before, question);
        before = question;
      }
      await workbench.tree.setHeight(420);
    },
  },
  {
    name: 'third try found',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.filterTree');
      await workbench.quickInput.shown('Filter Tree');
      await workbench.quickInput.answer('Try 3');
      await workbench.tree.row('Try 3: split it by another rule').waitFor();
    },
  },
  {
    name: 'third try again',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.tree.pick('Try 3: split it by another rule', 'Switch to Branch');
      await new ChatPage(workbench).message('Try 3').waitFor();
      await workbench.runCommand('offshoot.clearTreeFilter');
    },
  },
];

const longAnswer = (release: (gate: string) => void): readonly Scene[] => [
  {
    name: 'queued and steered',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask('How would you split this function?');
      await chat.send('Now a long answer about queues');
      await chat.message('A queue keeps').waitFor();
      for (const question of ['First the tests', 'Then the documentation of it', 'And last the change log']) {
        await chat.send(question);
      }
      await chat.openPanel('queue');
      await chat.frame.locator('.queued').nth(2).waitFor();
      const steer = chat.frame.getByRole('button', { name: 'Send at the next step of the response' });
      await steer.nth(1).click();
      await chat.frame.locator('.queued.steering').waitFor();
    },
  },
  {
    name: 'asked by the way',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.runCommand('offshoot.btw');
      await workbench.quickInput.answer('By the way, which Node is the oldest? (aside)');
      await chat.aside.getByText('still maintained').waitFor();
      await chat.aside.getByRole('textbox', { name: 'Follow-up' }).fill('And the newest? (aside)');
      await chat.aside.getByRole('button', { name: 'Send Follow-up' }).click();
      await chat.aside.getByText('still maintained').nth(1).waitFor();
    },
  },
  {
    name: 'stopped',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.stopButton.click();
      await chat.frame.locator('.status.stopped, .status.interrupted').first().waitFor();
    },
  },
  {
    name: 'merged',
    of: 'sidebar',
    show: async (workbench) => {
      release('long');
      const chat = new ChatPage(workbench);
      await chat.openPanel('sideQuestions');
      await chat.aside.getByRole('button', { name: 'Merge Summary…' }).click();
      await workbench.quickInput.choose('Summarize with test-model');
      await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
      await chat.frame.locator('.report').waitFor();
    },
  },
];

export const firstMinuteTask: Task = { name: 'first minute', model: 'demo', steps: () => firstMinute };

export const wrongAnswerTask: Task = { name: 'a wrong answer', steps: () => wrongAnswer };

export const longAnswerTask: Task = {
  name: 'a long answer',
  steps: (server) => longAnswer((gate) => server.release(gate)),
};
