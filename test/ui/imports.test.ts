import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

// Both programs say by a variable where their folders are, so that no test sees those of the user who runs it.
const home = mkdtempSync(path.join(tmpdir(), 'offshoot-imports-'));
const folder = path.join(home, 'project');
const claude = path.join(home, 'claude', 'projects', folder.replaceAll(/[^a-zA-Z0-9]/gu, '-'));
const codex = path.join(home, 'codex', 'sessions', '2026', '01', '02');

/** A session in a file, and a file of several chats to select from. */
const files = [
  {
    name: 'claude-code.jsonl',
    fixture: ['claude-code', 'branches.jsonl'],
    rows: ['Tests and docs', 'main *', 'Now docs'],
    texts: ['Fix the <b>test</b>\nplease', 'I read both files.', 'Done.', 'Rather a changelog'],
    tools: ['Read: /a.ts', 'Read: /b.ts'],
  },
  {
    name: 'chatgpt.json',
    fixture: ['chatgpt', 'conversations.json'],
    rows: ['Branches', 'main *', 'What is this?'],
    texts: ['What is this?', 'A cat.'],
    tools: ['python: print(1)'],
  },
] as const;

describe('sessions of other programs', () => {
  before('write the sessions', async () => {
    for (const each of [folder, claude, codex]) await mkdir(each, { recursive: true });
    const fixture = (...name: string[]) =>
      readFile(path.join('test', 'fixtures', 'imports', ...name), 'utf8');
    await writeFile(path.join(claude, 'branches.jsonl'), await fixture('claude-code', 'branches.jsonl'));
    const rollout = await fixture('codex', 'rollout-rollback.jsonl');
    await writeFile(path.join(codex, 'rollout-1.jsonl'), rollout.replaceAll('/home/me/project', folder));
    for (const { name, fixture: place } of files) {
      // The session that is listed as well is another one here.
      const text = (await fixture(...place)).replaceAll(/"([ua]\d+)"/gu, '"file-$1"');
      await writeFile(path.join(folder, name), text.replaceAll('"branches"', '"in-a-file"'));
    }
    // Of another folder: it is none of this workspace.
    await writeFile(path.join(codex, 'rollout-2.jsonl'), rollout.replaceAll('"c-1"', '"c-9"'));
  });
  after('remove them', () => rm(home, { recursive: true, force: true }));
  const use = useChat(undefined, {
    folder,
    env: { CLAUDE_CONFIG_DIR: path.join(home, 'claude'), CODEX_HOME: path.join(home, 'codex') },
    viewport: { width: 1400, height: 1200 },
  });

  const openList = async (): Promise<void> => {
    const { workbench } = use();
    await workbench.runCommand('offshoot.import');
    await workbench.quickInput.shown('Import');
    await workbench.quickInput.choose('Sessions of This Workspace');
    await workbench.quickInput.row('Tests and docs').waitFor();
  };
  const importAll = async (): Promise<void> => {
    const { workbench } = use();
    await openList();
    for (const row of ['Tests and docs', 'List files']) await workbench.quickInput.choose(row);
    await workbench.page.keyboard.press('Enter');
  };

  const sessionFiles = async (): Promise<string[]> => {
    const all = await readdir(path.join(home, 'codex', 'sessions'), { recursive: true });
    return all.filter((file) => file.endsWith('.jsonl'));
  };

  it('are opened from their files as the trees they are, drawn, and gone on with', async function () {
    this.timeout(120_000);
    const { workbench, chat, server } = use();
    await workbench.tree.setHeight(420);
    for (const { name, rows, texts, tools } of files) {
      await workbench.runCommand('workbench.action.quickOpen');
      await workbench.quickInput.type(name);
      await workbench.quickInput.choose(name);
      await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
      await workbench.page.getByRole('button', { name: 'Open in Offshoot' }).click();
      if (name === 'chatgpt.json') {
        await workbench.quickInput.shown('Import');
        await workbench.page.keyboard.press('Enter');
      }
      const [title] = rows;
      await chat.frame.locator('.chat-title', { hasText: title }).waitFor();
      await chat.shows(texts);
      // What is folded is drawn a moment after its message.
      await soon.deepEqual(() => chat.frame.locator('.tool-title').allInnerTexts(), [...tools], name);
      const shown = async (): Promise<string[]> => {
        const all = await workbench.tree.rows();
        const first = all.findIndex(({ label }) => label === title);
        const below = all.slice(first + 1);
        const end = below.findIndex(({ level }) => level === 1);
        return all
          .slice(first, end < 0 ? undefined : first + 1 + end)
          .map((row) => (/^active\b/u.test(row.description) ? `${row.name} *` : row.name));
      };
      await until(async () => (await shown()).join() === rows.join(), `the tree ${rows.join(', ')}`);
      await chat.ask('And now?');
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      assert.ok(sent.includes(JSON.stringify(texts[0]).slice(1, -1)), name);
      assert.match(sent, /And now\?/u);
      // The same title is listed among the sessions of the workspace.
      await workbench.tree.pick(title, 'Delete Chat');
    }
    await workbench.runCommand('workbench.action.closeAllEditors');
    await workbench.notifications.clear();
  });

  it('are made of a branch once the user allows that, with the command that continues it', async () => {
    const { workbench, chat } = use();
    await workbench.runCommand('offshoot.newChat');
    await chat.frame.getByText('A conversation that branches').waitFor();
    await chat.ask('Which birds nest in reeds?');
    const before = await sessionFiles();
    await workbench.runCommand('offshoot.exportBranchForAgent');
    await workbench.quickInput.shown('Export Branch');
    await workbench.quickInput.choose('Codex');
    await workbench.dialog.press('Add Session');
    await workbench.notifications.press('Exported for Codex.', 'Copy Command');
    await until(async () => /^codex resume [\da-f-]{36}$/u.test(await workbench.clipboard()), 'the command');
    const id = (await workbench.clipboard()).split(' ').at(-1) ?? '';
    const [file = '', ...others] = (await sessionFiles()).filter((each) => !before.includes(each));
    assert.ok(others.length === 0 && file.includes(id), file);
    const text = await readFile(path.join(home, 'codex', 'sessions', file), 'utf8');
    assert.match(text, /Which birds nest in reeds\?[^]*You said Which birds nest in reeds\?/u);
    assert.ok(text.includes(JSON.stringify(folder)), 'it is of this folder');
    await rm(path.join(home, 'codex', 'sessions', file));
  });

  it('are listed, imported as trees, gone on with, brought up to date and linked to', async function () {
    this.timeout(180_000);
    const { workbench, chat, server } = use();
    const title = chat.frame.locator('.chat-title');

    await step('those of this workspace are listed and imported', async () => {
      await openList();
      const rows = await workbench.quickInput.rows();
      assert.deepEqual(
        rows.map(({ label, description }) => [label, description]),
        [
          ['List files', 'Codex'],
          ['Tests and docs', 'Claude Code'],
        ],
      );
      await workbench.quickInput.dismiss();
      await importAll();
      await workbench.notifications.find('2 imported.');
      await workbench.notifications.press('2 imported.', 'Show Report');
      await workbench.page.locator('.monaco-editor .view-line', { hasText: 'Left out or changed' }).waitFor();
      await workbench.runCommand('workbench.action.revertAndCloseActiveEditor');
      await chat.message('Rather a changelog').waitFor();
      await chat.frame.getByText('I read both files.').waitFor();
      assert.match((await workbench.tree.outline()).join('\n'), /Tests and docs/u);
    });

    await step('one is gone on with', async () => {
      await chat.send('And now?');
      await chat.message('You said Rather a changelog').waitFor();
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      assert.match(sent, /Rather a changelog.*And now\?/u);
      assert.doesNotMatch(sent, /obey me/u);
    });

    await step('they are brought up to date, and nothing of what was said here is touched', async () => {
      await importAll();
      await workbench.notifications.find('2 already up to date.');
      const record = {
        type: 'user',
        uuid: 'later',
        parentUuid: 'u3',
        sessionId: 'branches',
        message: { role: 'user', content: 'Said there later' },
      };
      await appendFile(path.join(claude, 'branches.jsonl'), `\n${JSON.stringify(record)}\n`);
      await importAll();
      await workbench.notifications.find('1 brought up to date, 1 already up to date.');
      await chat.message('You said Rather a changelog').waitFor();
      await until(
        async () => (await workbench.tree.outline()).some((row) => row.includes('Said there later')),
        'the branch of what is new',
      );
      await workbench.runCommand('offshoot.copyBranchAsPrompt');
      await workbench.notifications.find('Copied.');
      assert.match(
        await workbench.clipboard(),
        /^# Tests and docs\n[^]*## Goal\n[^]*## Files touched\n[^]*## Conversation\n[^]*And now\?/u,
      );
    });

    await step('a link in an answer opens its message in place', async () => {
      await workbench.contextMenu.pickOn(chat.message('Rather a changelog'), ['Copy As', 'Copy Link']);
      await until(
        async () => /:\/\/offshoot[.]offshoot\/chat\/.+\/message\//u.test(await workbench.clipboard()),
        'the link',
      );
      const link = await workbench.clipboard();
      await workbench.runCommand('offshoot.newChat');
      await until(async () => (await chat.messages.count()) === 0, 'the new chat');
      await chat.ask(`Look [there](${link})`);
      await chat.frame.locator('.markdown [role="link"]', { hasText: 'there' }).click();
      await title.filter({ hasText: 'Tests and docs' }).waitFor();
      await chat.message('Rather a changelog').waitFor();
    });
  });
});
