import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { until } from '../fixtures/until.ts';
import { useFileTurns } from './fileTurns.ts';
import { hoverText } from './hoverText.ts';

const run = promisify(execFile);

const REST = Array.from({ length: 10 }, (_, at) => `export const value${at} = first + ${at};\n`).join('');
const START = `const first = 1;\nconst second = 2;\nconst third = 3;\n${REST}`;

describe('why a line is there, in a repository', () => {
  const use = useFileTurns();
  const root = (): string => use().files.folder.uri.fsPath;

  /** @param seconds how much later than now it is committed */
  const git = async (seconds: number, ...args: string[]): Promise<void> => {
    const date = `@${Math.ceil(Date.now() / 1_000) + seconds} +0000`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: root(), env });
  };
  const commit = async (seconds: number): Promise<void> => {
    await git(seconds, 'add', '--all', use().files.path('.'));
    await git(seconds, 'commit', '--quiet', '--message=m');
  };
  /** VS Code's own git would look into a repository that is gone after the test, and fail in a test that comes later. */
  const letCodeLook = async (enabled: false | undefined): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('git');
    await settings.update('enabled', enabled, vscode.ConfigurationTarget.Global);
  };
  const hovers = async (name: string, line: number): Promise<string> => {
    const document = await vscode.workspace.openTextDocument(use().files.uri(name));
    return hoverText(document.uri, line);
  };

  before(() => letCodeLook(false));
  after(() => letCodeLook(undefined));
  beforeEach(() => git(0, 'init', '--quiet', '--initial-branch=main'));
  afterEach(() => rm(path.join(root(), '.git'), { recursive: true, force: true }));

  it('is told of a file that the user gave another name and changed, once it is committed', async () => {
    const { files, turn } = use();
    await files.write('before.ts', START);
    await commit(-60);
    await turn({ 'before.ts': START.replace('second = 2', 'second = compute(first, 2)') });
    const question = /question \d+/u.exec(await hovers('before.ts', 1))?.[0];
    assert.ok(question !== undefined);

    const [from, to] = [files.path('before.ts'), files.path('after.ts')];
    await rm(path.join(root(), to), { force: true });
    await run('mv', [from, to], { cwd: root() });
    const text = await files.text('after.ts');
    await files.write('after.ts', text.replace('third = 3', 'third = 33'));
    // Nobody knows of it yet.
    assert.doesNotMatch(await hovers('after.ts', 1), /question/u);
    await commit(5);
    assert.match(await hovers('after.ts', 1), new RegExp(question, 'u'));
    assert.doesNotMatch(await hovers('after.ts', 2), /question/u);

    await turn({ 'after.ts': `// made\n${await files.text('after.ts')}` });
    const document = await vscode.workspace.openTextDocument(files.uri('after.ts'));
    // VS Code reads an open file again a while after it was changed.
    await until(() => document.getText().startsWith('// made'), 'the change of the step');
    assert.match(await hovers('after.ts', 2), new RegExp(question, 'u'));
  });

  it('is not asked of git in a workspace that is not trusted', async () => {
    const { files, turn } = use();
    await files.write('before.ts', START);
    await commit(-60);
    await turn({ 'before.ts': START.replace('second = 2', 'second = compute(first, 2)') });
    await commit(5);
    await git(10, 'mv', files.path('before.ts'), files.path('other.ts'));
    const text = await files.text('other.ts');
    await files.write('other.ts', text.replace('third = 3', 'third = 33'));
    const trusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    Object.defineProperty(vscode.workspace, 'isTrusted', { value: false, configurable: true });
    try {
      assert.doesNotMatch(await hovers('other.ts', 1), /question/u);
    } finally {
      if (trusted) Object.defineProperty(vscode.workspace, 'isTrusted', trusted);
    }
    assert.match(await hovers('other.ts', 1), /question/u);
  });
});
