import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findSessions } from '../../src/extension/importExport/foreignSessions.ts';
import { pathOf } from '../../src/host/node/fileUris.ts';
import { NodeForeignFiles } from '../../src/host/node/nodeForeignFiles.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ConversationReader } from '../../src/extension/chat/conversationReader.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import { answer } from '../fixtures/openaiServer.ts';
import { FolderFiles } from './folderFiles.ts';
import { useShownTree } from './shownTree.ts';
import { ask, offshoot, useModelServer } from './support.ts';

const NOW = Date.parse('2026-02-01');
const PROJECT = '/home/me/project';

interface Format {
  readonly name: string;
  readonly fixture: readonly [program: string, file: string];
  /** Sessions that are listed as well are other ones here. */
  readonly change?: (text: string) => string;
  /** What the tree shows of it: its branches and checkpoints. */
  readonly rows: readonly string[];
  /** What the chat shows. */
  readonly texts: readonly string[];
  readonly tools: readonly string[];
}

/** One file of each program: one that has a tree, of those that have any. */
const formats: readonly Format[] = [
  {
    name: 'claude-code.jsonl',
    fixture: ['claude-code', 'branches.jsonl'],
    change: (text) => text.replaceAll(/"([ua]\d+)"/gu, '"file-$1"').replaceAll('"branches"', '"in-a-file"'),
    rows: ['Tests and docs', 'Main line *', 'Now docs'],
    texts: ['Fix the <b>test</b>\nplease', 'I read both files.', 'Done.', 'Rather a changelog'],
    tools: ['Read: /a.ts', 'Read: /b.ts'],
  },
  {
    name: 'qwen.jsonl',
    fixture: ['qwen-code', 'tree.jsonl'],
    change: (text) => text.replaceAll('"sessionId":"tree"', '"sessionId":"in-a-file"'),
    rows: ['Pictures', 'Main line *', 'And then?'],
    texts: ['Look at @a.txt @p.png', 'I look.', 'A picture.', 'Rather this', 'This.'],
    tools: ['run_shell_command: ls', 'Read', 'Read'],
  },
  {
    name: 'rollout-file.jsonl',
    fixture: ['codex', 'rollout-rollback.jsonl'],
    change: (text) => text.replaceAll('"c-1"', '"c-7"'),
    rows: ['List files', 'Main line *', 'Delete it'],
    texts: ['List files', 'There is a.ts.', 'Keep it', 'Kept.'],
    tools: ['shell: ls'],
  },
  {
    name: 'api_conversation_history.json',
    fixture: ['cline', 'tools.json'],
    rows: ['Add a test'],
    texts: ['Add a test', 'I look.', 'Done.'],
    tools: ['Read a.ts'],
  },
  {
    name: 'roo.json',
    fixture: ['roo', 'condensed.json'],
    rows: ['Refactor'],
    texts: ['Refactor', 'Refactored.', 'Summary of it.', 'Go on'],
    tools: [],
  },
  {
    name: 'chat.json',
    fixture: ['vscode', 'session.json'],
    rows: ['What is it?', 'Main line *', 'Undone'],
    texts: ['What is it?', 'It is `x.ts`', 'fine.'],
    tools: ['copilot_readFile: x.ts'],
  },
  {
    name: 'pi.jsonl',
    fixture: ['pi', 'tree.jsonl'],
    rows: ['one', 'Main line *', 'good', 'left'],
    texts: ['one', 'first', 'right'],
    tools: ['read: a'],
  },
  {
    name: 'chatgpt.json',
    fixture: ['chatgpt', 'conversations.json'],
    rows: ['Branches', 'Main line *', 'What is this?'],
    texts: ['What is this?', 'A cat.'],
    tools: ['python: print(1)'],
  },
  {
    name: 'claude-ai.json',
    fixture: ['claude-ai', 'conversations.json'],
    rows: ['Tree', 'Main line *', '[Attached file: notes.txt] ``` miau ``` Search for cats'],
    texts: ['[Attached file: notes.txt]\n\n```\nmiau\n```', 'Search for cats', 'No.', 'Why?'],
    tools: [],
  },
];

function fixture(program: string, name: string): Promise<string> {
  const root = vscode.extensions.getExtension('offshoot.offshoot')?.extensionPath ?? '';
  return readFile(path.join(root, 'test', 'fixtures', 'imports', program, name), 'utf8');
}

describe('sessions of other programs for this workspace', () => {
  let api: Offshoot;
  let home: string;
  let here: string;
  before(async () => {
    api = await offshoot();
    here = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    assert.notEqual(here, '');
  });
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'offshoot-sessions-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const code = (...below: string[]) => path.join(home, 'Code', 'User', ...below);
  const global = (extension: string, ...below: string[]) => code('globalStorage', extension, ...below);
  const claudeFolder = (folder: string) =>
    path.join(home, '.claude', 'projects', folder.replaceAll(/[^a-zA-Z0-9]/gu, '-'));
  const put = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };

  const find = async () => {
    const imports = await api.parts.conversations.imports();
    const list = imports.list(new AbortController().signal);
    const programs: string[] = [];
    const places = {
      files: () => Promise.resolve(new NodeForeignFiles({}, home)),
      pathOf,
      storage: vscode.Uri.file(code('workspaceStorage', 'abc', 'offshoot.offshoot')),
      globalStorage: vscode.Uri.file(global('offshoot.offshoot')),
      openDatabase: () => Promise.reject(new Error('There is no database.')),
    };
    await findSessions(places, imports, list, NOW, (name) => programs.push(name));
    const found = list.batches.flatMap((batch) => batch.found);
    return {
      found: found.map(({ program, title }) => `${program}: ${title ?? ''}`).sort(),
      unread: list.unread.map(({ name }) => name),
      programs,
    };
  };

  const writeAll = async (folder: string): Promise<void> => {
    await put(
      path.join(claudeFolder(folder), 'branches.jsonl'),
      await fixture('claude-code', 'branches.jsonl'),
    );
    await put(
      path.join(home, '.qwen', 'projects', path.basename(claudeFolder(folder)), 'chats', 'q-1.jsonl'),
      await fixture('qwen-code', 'tree.jsonl'),
    );
    const rollout = await fixture('codex', 'rollout-rollback.jsonl');
    await put(
      path.join(home, '.codex', 'sessions', '2026', '01', '02', 'rollout-1.jsonl'),
      rollout.replaceAll(PROJECT, path.join(folder, 'below')),
    );
    const task = (await fixture('cline', 'tools.json')).replaceAll(PROJECT, folder);
    await put(
      global('saoudrizwan.claude-dev', 'tasks', '1767348000000', 'api_conversation_history.json'),
      task,
    );
    await put(
      global('rooveterinaryinc.roo-cline', 'tasks', 'r-1', 'api_conversation_history.json'),
      await fixture('roo', 'condensed.json'),
    );
    await put(
      global('rooveterinaryinc.roo-cline', 'tasks', 'r-1', 'history_item.json'),
      JSON.stringify({ id: 'r-1', ts: 1, task: 'Refactor it', workspace: folder }),
    );
    const sessions = code('workspaceStorage', 'abc', 'chatSessions');
    await put(path.join(sessions, 'v-1.json'), await fixture('vscode', 'session.json'));
    await put(path.join(sessions, 'v-2.jsonl'), await fixture('vscode', 'log.jsonl'));
    const piFolder = `--${folder.replace(/^[/\\]/u, '').replaceAll(/[/\\:]/gu, '-')}--`;
    await put(
      path.join(home, '.pi', 'agent', 'sessions', piFolder, '1.jsonl'),
      await fixture('pi', 'tree.jsonl'),
    );
  };

  const all = [
    'claude-code: Tests and docs',
    'cline: Add a test',
    'codex: List files',
    'pi: one',
    'qwen-code: Pictures',
    'roo: Refactor it',
    'vscode: A log',
    'vscode: What is it?',
  ];

  it('are found where each program keeps them', async () => {
    await writeAll(here);
    const { found, unread, programs } = await find();
    assert.deepEqual(found, all);
    assert.deepEqual(unread, []);
    const first = ['pi', 'VS Code', 'Qwen Code', 'Claude Code', 'Codex', 'Cline', 'Roo Code'];
    const others = ['Gemini CLI', 'Copilot CLI', 'opencode', 'Cursor', 'Zed'];
    assert.deepEqual(programs, [...first, ...others]);
  });

  it('are none of another folder, or of one whose name begins alike', async () => {
    for (const folder of ['/elsewhere/project', `${here}-other`]) await writeAll(folder);
    // What VS Code keeps for the workspace is the workspace's.
    assert.deepEqual((await find()).found, ['vscode: A log', 'vscode: What is it?']);
  });

  it('are nothing where no program has any', async () => {
    assert.deepEqual(await find(), { found: [], unread: [], programs: (await find()).programs });
  });

  it('that cannot be read keep no other away', async () => {
    await writeAll(here);
    const sessions = code('workspaceStorage', 'abc', 'chatSessions');
    await put(path.join(sessions, 'broken.json'), '{"requests": 1}');
    await put(global('saoudrizwan.claude-dev', 'tasks', '2', 'api_conversation_history.json'), '{');
    await put(global('saoudrizwan.claude-dev', 'state', 'taskHistory.json'), 'no JSON');
    await mkdir(path.join(sessions, 'folder.json'));
    const { found, unread } = await find();
    assert.deepEqual(found, all);
    assert.deepEqual(unread, ['broken.json', 'cline 2']);
  });

  it('in a folder that cannot be opened are passed over', async () => {
    await writeAll(here);
    const codex = path.join(home, '.codex', 'sessions');
    await rm(codex, { recursive: true });
    await writeFile(codex, 'no folder');
    const others = all.filter((each) => !each.startsWith('codex'));
    assert.deepEqual((await find()).found, others);
  });

  it('that links lead to are not read; a home that is a link is', async () => {
    await writeAll(here);
    const folder = claudeFolder(here);
    await put(path.join(home, 'secret.jsonl'), await fixture('claude-code', 'sidechain.jsonl'));
    await symlink(path.join(home, 'secret.jsonl'), path.join(folder, 'linked.jsonl'));
    await symlink(folder, path.join(home, '.codex', 'sessions', '2027'), 'junction');
    assert.deepEqual((await find()).found, all);
    const real = path.join(home, 'dotfiles');
    await rename(path.join(home, '.claude'), real);
    await symlink(real, path.join(home, '.claude'), 'junction');
    assert.deepEqual((await find()).found, all);
  });

  it('of a folder with very many are the newest, and it is said', async function () {
    this.timeout(20_000);
    const session = (await fixture('pi', 'oldest.jsonl')).trim();
    const piFolder = `--${here.replace(/^[/\\]/u, '').replaceAll(/[/\\:]/gu, '-')}--`;
    const folder = path.join(home, '.pi', 'agent', 'sessions', piFolder);
    await mkdir(folder, { recursive: true });
    await Promise.all(
      Array.from({ length: 520 }, (_, at) => writeFile(path.join(folder, `${at}.jsonl`), session)),
    );
    const { found, unread } = await find();
    assert.equal(found.length, 500);
    assert.deepEqual(unread, ['pi']);
  });
});

describe('a session of another program in a file', () => {
  const shown = useShownTree();
  const server = useModelServer(() => answer('Gone on.'));
  const files = new FolderFiles('sessions');
  before(() => files.makeFolder());
  after(() => files.remove());

  for (const { name, fixture: place, change = (text: string) => text, rows, texts, tools } of formats) {
    it(`of ${place[0]} is opened as the tree it is, and gone on with`, async () => {
      const { api, openChat, tree } = shown();
      await files.write(name, change(await fixture(...place)));
      await vscode.commands.executeCommand('offshoot.import', files.uri(name));
      const chat = await openChat();
      const { label } = await tree.getTreeItem(chat);
      const below = async (node: TreeNode): Promise<string[]> => {
        const lines: string[] = [];
        for (const child of await tree.getChildren(node)) {
          const item = await tree.getTreeItem(child);
          const mark = /^active\b/u.test(String(item.description)) ? ' *' : '';
          lines.push(`${typeof item.label === 'string' ? item.label : ''}${mark}`, ...(await below(child)));
        }
        return lines;
      };
      assert.deepEqual([label, ...(await below(chat))], rows);
      const { messages } = await new ConversationReader(api.parts).read();
      const parts = messages.flatMap((message) => message.parts);
      assert.deepEqual(
        parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
        texts,
      );
      assert.deepEqual(
        parts.flatMap((part) => (part.type === 'tool' ? [part.title] : [])),
        tools,
      );
      await ask(api, 'And now?');
      const sent = JSON.stringify(server().requests.at(-1)?.body);
      assert.ok(sent.includes(JSON.stringify(texts[0]).slice(1, -1)), sent);
      assert.match(sent, /And now\?/u);
    });
  }
});
