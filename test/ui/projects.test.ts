import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../fixtures/until.ts';
import { loadHost } from './support/host.ts';
import { step } from './support/step.ts';
import { useChat, type ChatFixture } from './support/useChat.ts';

const SAID = 'remember the blue heron';

/** Rows of the tree with this in their labels: chats of this window, or of another place. */
const rowsWith = async ({ workbench }: ChatFixture, text: string): Promise<number> =>
  (await workbench.tree.rows()).filter(({ label }) => label.includes(text)).length;

const isInTree = async (fixture: ChatFixture): Promise<void> => {
  await until(async () => (await rowsWith(fixture, 'blue heron')) === 1, 'the chat in the tree');
};

/** The chat itself is open, and can be continued. */
const isOpen = async ({ chat }: ChatFixture): Promise<void> => {
  await chat.message(SAID).waitFor();
  await until(async () => chat.input.isEditable(), 'the chat to take a question');
};

const workspaceFile = async (file: string, ...folders: readonly string[]): Promise<string> => {
  await writeFile(file, JSON.stringify({ folders: folders.map((folder) => ({ path: folder })) }));
  return file;
};

/** A window that is left at once after the first question may not have noted its project. @param fact what is known of it */
const isNoted = async ({ workbench }: ChatFixture, fact: string): Promise<void> => {
  const index = path.join(
    workbench.dataDir,
    'data',
    'User',
    'globalStorage',
    'offshoot.offshoot',
    'projects',
  );
  await until(async () => {
    const parts = (await readdir(index)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(parts.map((part) => readFile(path.join(index, part), 'utf8')));
    return texts.some((text) => text.includes(fact));
  }, 'a note of the project');
};

const offered = 'This project has conversations from';

/** Presses a button of what an empty chat offers, of the workspace of this name. */
const take = async ({ chat }: ChatFixture, label: string, name: string): Promise<void> => {
  const banner = chat.frame.locator('.banner', { hasText: `${offered} “${name}”` });
  await banner.getByRole('button', { name: label, exact: true }).click();
};

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main'];
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent' };
  execFileSync('git', [...who, ...args], { cwd: folder, env, stdio: 'ignore' });
}

describe('a folder that is opened another way', function () {
  this.timeout(180_000);
  const use = useChat();
  const next = (name: string): string => path.join(path.dirname(use().workbench.folder), name);

  it('with another one, from a workspace file, by a link or after a move, has its chats, and says why', async () => {
    const { workbench, chat } = use();
    await chat.ask(SAID);
    await isNoted(use(), workbench.folder);
    await mkdir(next('second'));
    await step(
      'with another one: the chat is there, in the tree under its folder, and is continued there',
      async () => {
        const file = await workspaceFile(next('both.code-workspace'), workbench.folder, next('second'));
        await workbench.openInstead({ workspace: file });
        await isInTree(use());
        const [project, below] = await workbench.tree.rows();
        assert.deepEqual([project?.label, project?.level, below?.level], ['workspace', 1, 2]);
        await isOpen(use());
        await chat.ask('continued with both');
      },
    );

    await step('a new chat belongs to both, and stands before it', async () => {
      await chat.startNew();
      await chat.ask('of both');
      await until(
        async () => (await workbench.tree.rows())[0]?.label.includes('of both') === true,
        'the new one',
      );
      await isInTree(use());
    });

    await step(
      'the other one is removed: the chat is as it was continued, and what is with both is listed',
      async () => {
        await workbench.openInstead({ folder: workbench.folder });
        await chat.message('continued with both').waitFor();
        await until(async () => (await rowsWith(use(), 'of both')) === 1, 'the chat of both');
        await workbench.tree.click('of both');
        await workbench.quickInput.choose('Move This Chat Here');
        await chat.message('You said of both').waitFor();
        await until(async () => (await rowsWith(use(), 'Chats from')) === 0, 'nothing left elsewhere');
      },
    );

    await step('by a link, in a workspace file', async () => {
      await symlink(workbench.folder, next('linked'));
      const file = await workspaceFile(next('one.code-workspace'), next('linked'));
      await workbench.openInstead({ workspace: file });
      await chat.message('You said of both').waitFor();
      await chat.openPanel('notices');
      await chat.frame.locator('.banner', { hasText: 'it is the same project' }).waitFor();
      await isInTree(use());
      await chat.ask('in the workspace file');
    });

    await step('moved on the same disk, under another name', async () => {
      await mkdir(next('deeper'));
      await rename(workbench.folder, next('deeper/moved'));
      await workbench.openInstead({ folder: next('deeper/moved') });
      await chat.message('You said in the workspace file').waitFor();
      await isInTree(use());
    });
  });
});

describe('a copy, and a move to another disk', function () {
  this.timeout(180_000);
  const use = useChat(undefined, {
    // What git knows is asked when a folder is opened.
    prepare: (folder) => {
      git(folder, 'init', '-q');
      git(folder, 'commit', '-q', '--allow-empty', '-m', 'begin');
    },
  });
  const next = (name: string): string => path.join(path.dirname(use().workbench.folder), name);
  let elsewhere = '';
  before('make another disk', async () => {
    elsewhere = await mkdtemp(path.join(tmpdir(), 'offshoot-elsewhere-'));
  });
  after(() => rm(elsewhere, { recursive: true, force: true }));

  it('are offered the chats, which git knows, and keep their own from then on', async () => {
    const { workbench, chat } = use();
    await chat.ask(SAID);
    await isNoted(use(), '"first"');
    await step('a copy takes copies', async () => {
      await cp(workbench.folder, next('copy'), { recursive: true });
      await workbench.openInstead({ folder: next('copy') });
      await isInTree(use());
      await take(use(), 'Copy', 'workspace');
      await until(async () => (await rowsWith(use(), 'Chats from')) === 0, 'nothing left to offer');
      await isInTree(use());
      await workbench.tree.click(SAID);
      await chat.ask('only in the copy');
    });

    await step('what was moved opens those it had, which are as they were', async () => {
      // A copy whose original is gone: its ids are those of another disk.
      await cp(workbench.folder, path.join(elsewhere, 'moved'), { recursive: true });
      await rm(workbench.folder, { recursive: true });
      await workbench.openInstead({ folder: path.join(elsewhere, 'moved') });
      await take(use(), 'Open', 'workspace');
      await workbench.openOffshoot();
      await isOpen(use());
      assert.equal(await chat.message('only in the copy').count(), 0);
    });

    await step(
      'Find Conversations lists all, and removes those of a missing folder so that they come back',
      async () => {
        await rm(next('copy'), { recursive: true });
        await workbench.runCommand('offshoot.storageReport');
        await workbench.quickInput.choose('Find Conversations…');
        const rows = await workbench.quickInput.rows();
        assert.ok(rows.some(({ description }) => description.startsWith('this window')));
        assert.match(rows.find(({ label }) => label === 'copy')?.detail ?? '', /^Folder missing/u);
        await workbench.quickInput.choose('Remove Chats of Missing Folders…');
        await workbench.quickInput.toggle('copy');
        await workbench.quickInput.accept();
        const listed = async (): Promise<string[]> => {
          await workbench.runCommand('offshoot.findConversations');
          const labels = (await workbench.quickInput.rows()).map(({ label }) => label);
          if (!labels.includes('Restore Removed Chats')) await workbench.quickInput.dismiss();
          return labels;
        };
        await until(
          async () => (await listed()).includes('Restore Removed Chats'),
          'the chats to be removed',
        );
        await workbench.quickInput.choose('Restore Removed Chats');
        await workbench.notifications.find('The chats are back');
      },
    );
  });
});

const vsix = process.env['OFFSHOOT_VSIX'];

// Run from its sources it is not installed.
if (vsix !== undefined) {
  describe('Offshoot, uninstalled and installed again', function () {
    this.timeout(240_000);
    const use = useChat(undefined, { ownServer: true });

    it('finds all chats @vsix', async () => {
      const { workbench, chat } = use();
      await chat.ask(SAID);
      const { reinstall } = await loadHost();
      await workbench.restartServer({
        whileStopped: () => reinstall(workbench.dataDir, { id: 'offshoot.offshoot', vsix }),
      });
      await workbench.openOffshoot();
      await isOpen(use());
      await isInTree(use());
    });
  });
}

describe('a window without a folder', function () {
  this.timeout(180_000);
  const use = useChat(undefined, { noFolder: true });

  it('gives its chat to the folder that is opened in it, after asking once', async () => {
    const { workbench, chat } = use();
    await chat.ask(SAID);
    await workbench.openInstead({ folder: workbench.folder });
    await workbench.notifications.press('was begun with no folder open', 'Move');
    await isInTree(use());
    await isOpen(use());
    await workbench.reload();
    await workbench.openOffshoot();
    await isOpen(use());
    const texts = await workbench.notifications.texts();
    assert.ok(!texts.some((text) => text.includes('no folder open')));
  });
});
