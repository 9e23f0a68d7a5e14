import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ChatPage } from '../../support/chatPage.ts';
import { root } from '../../support/host.ts';
import type { Workbench } from '../../support/workbench.ts';
import { sampleScenes } from '../sampleScenes.ts';
import { settled, type Scene } from '../scene.ts';
import type { Task } from './task.ts';

const dismiss = (workbench: Workbench): Promise<void> => workbench.quickInput.dismiss();

const MESSAGES = 300;

const code = Array.from({ length: 60 }, (_, at) => `const line${at + 1} = total(items.slice(${at}));`).join(
  '\n',
);

/** What answers of a long conversation hold, in turn. */
const parts = [
  `Here it is whole:\n\n\`\`\`ts\n${code}\n\`\`\``,
  '| Way | Memory |\n| :-- | :-- |\n| At once | the whole file |\n| By lines | one line |',
  'It grows with $n \\log n$, so it stays quick:\n\n$$\\sum_{i=1}^{n} \\log i$$',
  'Short: yes.',
];

/** A session of another program with many messages, some with pictures. */
async function longSession(): Promise<string> {
  const data = (await readFile(path.join(root, 'media', 'icon.png'))).toString('base64');
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const lines = Array.from({ length: MESSAGES }, (_, at) => {
    const isQuestion = at % 2 === 0;
    const number = Math.floor(at / 2) + 1;
    const text = isQuestion ? `Question ${number}: what about it?` : (parts[number % parts.length] ?? '');
    const said = { type: 'text', text };
    return JSON.stringify({
      type: isQuestion ? 'user' : 'assistant',
      uuid: `m${at + 1}`,
      parentUuid: at === 0 ? null : `m${at}`,
      isSidechain: false,
      sessionId: 'long',
      cwd: '/home/me/project',
      timestamp: new Date(Date.UTC(2026, 0, 2, 10, 0, at)).toISOString(),
      message: {
        ...(!isQuestion && { id: `msg_${at}`, model: 'claude-sonnet-4-5' }),
        role: isQuestion ? 'user' : 'assistant',
        content: isQuestion && number % 10 === 0 ? [said, picture] : [said],
      },
    });
  });
  return lines.join('\n');
}

const longChat: readonly Scene[] = [
  {
    name: 'opened',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await writeFile(path.join(workbench.folder, 'long.jsonl'), await longSession());
      await workbench.runCommand('workbench.action.quickOpen');
      await workbench.quickInput.type('long.jsonl');
      await workbench.quickInput.choose('long.jsonl');
      await workbench.page.locator('.tab.active', { hasText: 'long.jsonl' }).waitFor();
      await workbench.page.getByRole('button', { name: 'Open in Offshoot' }).click();
      await chat.message('Question 150').waitFor();
      await workbench.runCommand('workbench.action.closeAllEditors');
    },
  },
  {
    name: 'read upwards',
    of: 'sidebar',
    show: async (workbench) => {
      const box = await new ChatPage(workbench).frame.locator('.conversation').boundingBox();
      if (!box) throw new Error('There is no conversation.');
      for (let times = 0; times < 20; times += 1) {
        await workbench.page.mouse.move(box.x + 60, box.y + 100);
        await workbench.page.mouse.wheel(0, -300);
      }
    },
  },
  {
    name: 'went to message 50',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.runCommand('offshoot.goToMessage');
      await workbench.quickInput.shown('Go to Message');
      await workbench.quickInput.type('50');
      await new ChatPage(workbench).frame.locator('.message.previewed').waitFor();
      await workbench.quickInput.accept();
      await workbench.quickInput.hidden();
    },
  },
  {
    name: 'word found',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.input.click();
      await workbench.page.keyboard.press('Control+f');
      const box = chat.frame.getByRole('textbox', { name: 'Find' }).first();
      if (await box.isVisible()) await box.fill('Question 33');
      else {
        await workbench.quickInput.shown();
        await workbench.quickInput.type('Question 33');
      }
    },
    hide: (workbench) => workbench.page.keyboard.press('Escape'),
  },
];

const looks = [
  'sample chat and tree',
  'menu of a message',
  'menu of a branch',
  'graph',
  'search view',
  'search pick',
  'timeline',
  'compare branches',
  'what differs',
  'two branches compared',
  'context document',
  'trash',
];

/** A list that a family of commands opens. */
const list = (name: string, command: string): Scene => ({
  name,
  of: 'quickInput',
  show: async (workbench) => {
    await workbench.runCommand(command);
    await settled(workbench.page.locator('.quick-input-list .monaco-list-row'));
  },
  hide: dismiss,
});

const around: readonly Scene[] = [
  ...sampleScenes().filter(({ name }) => looks.includes(name)),
  list('export', 'offshoot.exportActions'),
  list('import', 'offshoot.import'),
  {
    name: 'Context view',
    of: 'sidebar',
    show: async (workbench) => {
      await workbench.contextView.open();
      await workbench.tree.fold();
    },
  },
];

/** What the palette lists of what is typed. @param isEmpty before anything was asked */
const typed = (words: string, isEmpty = false): Scene => ({
  name: isEmpty ? `${words} in an empty chat` : words,
  show: async (workbench) => {
    const chat = new ChatPage(workbench);
    if (!isEmpty && (await chat.messages.count()) === 0) await chat.ask('How would you split this function?');
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.shown();
    await workbench.quickInput.type(`>${words}`);
    await settled(workbench.page.locator('.quick-input-list .monaco-list-row'));
  },
  hide: dismiss,
});

const palette: readonly Scene[] = [
  typed('Offshoot alternatives', true),
  ...['Offshoot', 'Offshoot export', 'Offshoot alternatives', 'Offshoot key', 'Offshoot shared store'].map(
    (words) => typed(words),
  ),
  list('models', 'offshoot.selectModel'),
  list('shared store', 'offshoot.showSharedStore'),
];

/** A folder or file next to the open folder. */
const next = ({ folder }: Workbench, name: string): string => path.join(path.dirname(folder), name);

const folders: readonly Scene[] = [
  {
    name: 'folder renamed',
    of: 'sidebar',
    show: async (workbench) => {
      const chat = new ChatPage(workbench);
      await chat.ask('How would you split this function?');
      await rename(workbench.folder, next(workbench, 'renamed'));
      await workbench.openInstead({ folder: next(workbench, 'renamed') });
      await chat.message('changes together').waitFor();
      await workbench.tree.row('How would you split this function?').first().waitFor();
    },
  },
  {
    name: 'second folder added',
    of: 'sidebar',
    show: async (workbench) => {
      await mkdir(next(workbench, 'second'));
      const file = next(workbench, 'both.code-workspace');
      const paths = ['renamed', 'second'].map((name) => ({ path: next(workbench, name) }));
      await writeFile(file, JSON.stringify({ folders: paths }));
      await workbench.openInstead({ workspace: file });
      await new ChatPage(workbench).message('changes together').waitFor();
      await workbench.tree.row('renamed').waitFor();
    },
  },
];

export const longChatTask: Task = { name: '300 messages', steps: () => longChat };

export const aroundTask: Task = { name: 'looking around', model: 'demo', steps: () => around };

export const paletteTask: Task = { name: 'the palette', steps: () => palette };

export const foldersTask: Task = { name: 'folders', steps: () => folders };
