import { ChatPage } from '../support/chatPage.ts';
import type { Workbench } from '../support/workbench.ts';
import { settled, type Scene } from './scene.ts';

const dismiss = (workbench: Workbench): Promise<void> => workbench.quickInput.dismiss();

/** A list that a command opens at the top of the window. */
const pick = (name: string, command: string): Scene => ({
  name,
  of: 'quickInput',
  show: async (workbench) => {
    await workbench.runCommand(command);
    await workbench.quickInput.widget.locator('.quick-input-title').filter({ hasText: /\S/ }).waitFor();
    await settled(workbench.page.locator('.quick-input-list .monaco-list-row'));
  },
  hide: dismiss,
});

const steps = [
  'Look at a chat with branches',
  'Ask something',
  'Go back, and try another way',
  'Bookmark a good point',
  'Ask by the way',
  'Select a model',
];

const walkthrough: readonly Scene[] = steps.map((step, index) => ({
  name: `walkthrough ${index + 1}`,
  of: 'editor',
  show: async (workbench) => {
    const { page } = workbench;
    if (index === 0) await workbench.runCommand('offshoot.openWalkthrough');
    const row = page.locator('.gettingStartedContainer .getting-started-step', { hasText: step });
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
    await page
      .frameLocator('.getting-started-media iframe.webview.ready')
      .frameLocator('iframe#active-frame')
      .locator('svg')
      .waitFor();
  },
}));

const scenes: readonly Scene[] = [
  { name: 'nothing yet', of: 'sidebar', show: async (workbench) => workbench.contextView.open() },
  {
    name: 'sample chat and tree',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.runCommand('offshoot.openSampleChat');
      await chat.message('I want to build a small habit tracker').waitFor();
      await chat.frame.locator('.message').last().scrollIntoViewIfNeeded();
      await workbench.tree.root.locator('.monaco-list-row').nth(3).waitFor();
    },
  },
  {
    name: 'menu of a message',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await workbench.contextMenu.open(chat.message('How do I show a whole year'));
    },
    hide: (workbench) => workbench.contextMenu.close(),
  },
  {
    name: 'menu of a branch',
    show: async (workbench) =>
      workbench.contextMenu.open(workbench.tree.row('By the way, what is an ISO date?')),
    hide: (workbench) => workbench.contextMenu.close(),
  },
  {
    name: 'menu of the chat view',
    show: async (workbench) => {
      const header = workbench.page.locator('.sidebar .pane-header[aria-label^="Chat"]');
      await header.hover({ position: { x: 40, y: 10 } });
      await header.getByRole('button', { name: /More Actions/ }).click();
      await workbench.page.locator('.monaco-menu').last().waitFor();
    },
    hide: (workbench) => workbench.contextMenu.close(),
  },
  {
    name: 'status bar',
    show: async (workbench) => {
      await workbench.page.locator('.statusbar-item', { hasText: /Main line · / }).hover();
      await workbench.page.locator('.monaco-hover').first().waitFor();
    },
  },
  {
    name: 'graph',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.showGraph');
      await workbench.panel.locator('.graph-row').first().waitFor();
    },
  },
  {
    name: 'chat in an editor tab',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.openChatInEditor');
      await workbench.panel.locator('.message').last().waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'search view',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.searchInView');
      await workbench.quickInput.answer('habit');
      await workbench.page
        .locator('.sidebar .pane', { hasText: 'Search' })
        .last()
        .locator('.highlight')
        .first()
        .waitFor();
    },
  },
  {
    name: 'search without hits',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.searchInView');
      await workbench.quickInput.answer('nosuchword');
      await workbench.page.getByText('No results.').waitFor();
    },
    hide: (workbench) => workbench.runCommand('offshoot.clearSearch'),
  },
  {
    name: 'search pick',
    of: 'quickInput',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.search');
      await workbench.quickInput.type('habit');
      await settled(workbench.page.locator('.quick-input-list .monaco-list-row'));
    },
    hide: dismiss,
  },
  pick('timeline', 'offshoot.showTimeline'),
  pick('rewind pick', 'offshoot.rewind'),
  pick('go to message', 'offshoot.goToMessage'),
  pick('open chat', 'offshoot.openChat'),
  pick('switch branch', 'offshoot.switchBranch'),
  pick('restore checkpoint', 'offshoot.restoreCheckpoint'),
  pick('select model', 'offshoot.selectModel'),
  pick('set key', 'offshoot.setApiKey'),
  {
    name: 'key of a provider',
    of: 'quickInput',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.setApiKey');
      await workbench.quickInput.choose('Anthropic');
      await workbench.quickInput.shown('API key for Anthropic');
    },
    hide: dismiss,
  },
  pick('export branch for another agent', 'offshoot.exportBranchForAgent'),
  pick('copy for commit', 'offshoot.copyForCommit'),
  pick('compare branches', 'offshoot.compareBranches'),
  {
    name: 'what differs',
    of: 'quickInput',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.compareBranches');
      await workbench.quickInput.shown('Select a branch to compare');
      await workbench.quickInput.choose('Main line');
      await workbench.quickInput.shown('Select a branch to compare Main line with');
      await workbench.quickInput.choose('And as a command in the terminal instead?');
      await workbench.quickInput.row('Conversation').waitFor();
    },
  },
  {
    name: 'two branches compared',
    of: 'editor',
    show: async (workbench) => {
      await workbench.quickInput.choose('Conversation');
      await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  {
    name: 'context document',
    of: 'editor',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.inspectContext');
      await workbench.page.locator('.editor-instance .view-line').first().waitFor();
    },
  },
  {
    name: 'instructions',
    of: 'editor',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.editChatInstructions');
      await workbench.page.locator('.editor-instance .view-line', { hasText: 'role' }).first().waitFor();
    },
    hide: (workbench) => workbench.runCommand('workbench.action.closeAllEditors'),
  },
  pick('storage report', 'offshoot.storageReport'),
  {
    name: 'trash',
    of: 'quickInput',
    show: async (workbench) => {
      await workbench.tree.pick('By the way, what is an ISO date?', 'Delete Branch');
      await workbench.tree.row('By the way, what is an ISO date?').waitFor({ state: 'detached' });
      await workbench.runCommand('offshoot.openTrash');
      await settled(workbench.page.locator('.quick-input-list .monaco-list-row'));
    },
    hide: dismiss,
  },
  {
    name: 'notification of what was deleted',
    of: 'notifications',
    show: async (workbench) => {
      await workbench.notifications.find('to trash');
    },
    hide: (workbench) => workbench.notifications.clear(),
  },
  ...walkthrough,
];

/** What is to be seen with nothing set up, and of the sample chat. */
export function sampleScenes(): readonly Scene[] {
  return scenes;
}

/** What is to be seen in a folder that the user has not trusted. */
export function restrictedScenes(): readonly Scene[] {
  return [
    {
      name: 'restricted mode',
      of: 'sidebar',
      show: async (workbench) => {
        const notice = new ChatPage(workbench).segment('notices');
        await notice.filter({ hasText: 'Restricted Mode' }).waitFor();
      },
    },
  ];
}
