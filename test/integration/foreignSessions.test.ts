import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { findSessions } from '../../src/extension/importExport/foreignSessions.ts';
import { pathOf } from '../../src/platform/node/fileUris.ts';
import { NodeForeignFiles } from '../../src/platform/node/nodeForeignFiles.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { offshoot } from './support.ts';

const NOW = Date.parse('2026-02-01');
const PROJECT = '/home/me/project';

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
  const fixture = (program: string, name: string): Promise<string> => {
    const root = vscode.extensions.getExtension('offshoot.offshoot')?.extensionPath ?? '';
    return readFile(path.join(root, 'test', 'fixtures', 'imports', program, name), 'utf8');
  };
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
    'roo: Refactor it',
    'vscode: A log',
    'vscode: What is it?',
  ];

  it('are found where each program keeps them', async () => {
    await writeAll(here);
    const { found, unread, programs } = await find();
    assert.deepEqual(found, all);
    assert.deepEqual(unread, []);
    assert.deepEqual(programs, ['Claude Code', 'Codex', 'Cline', 'Roo Code', 'VS Code', 'pi']);
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
    assert.deepEqual(unread, ['cline 2', 'broken.json']);
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
