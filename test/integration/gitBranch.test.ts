import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { playDialogs, type Shown } from './dialogs.ts';
import { useOwnFiles } from './ownFilesWorld.ts';
import { playInputs } from './playInputs.ts';
import { ask } from './support.ts';

const run = promisify(execFile);

interface ShownItem extends vscode.QuickPickItem {
  readonly buttons?: readonly vscode.QuickInputButton[];
}

/**
 * Selects the first places of one file in the list that asks for files, then takes the list as it is. VS Code shows it in
 * no test of this kind.
 */
function playFiles(withPlaces?: string): { readonly listed: string[][]; [Symbol.dispose](): void } {
  const listed: string[][] = [];
  let isAsked = false;
  const createQuickPick = (): object => {
    const listeners = new Map<string, (event: unknown) => void>();
    const on = (name: string) => (listener: (event: unknown) => void) => {
      listeners.set(name, listener);
      return { dispose: () => listeners.delete(name) };
    };
    const names = 'ChangeValue ChangeSelection Accept Hide TriggerButton TriggerItemButton'.split(' ');
    const picker = {
      items: [] as ShownItem[],
      selectedItems: [] as ShownItem[],
      ...Object.fromEntries(names.map((name) => [name.replace(/^/u, 'onDid'), on(name)])),
      show: () => {
        listed.push(picker.items.map(({ label, description = '' }) => `${label} ${description}`.trim()));
        const item = picker.items.find(({ label }) => withPlaces !== undefined && label.endsWith(withPlaces));
        const isFirst = !isAsked && item !== undefined;
        isAsked = true;
        if (isFirst) listeners.get('TriggerItemButton')?.({ item, button: item.buttons?.[0] });
        else listeners.get('Accept')?.(undefined);
      },
      dispose: () => listeners.clear(),
    };
    return picker;
  };
  const before = Object.getOwnPropertyDescriptor(vscode.window, 'createQuickPick');
  Object.defineProperty(vscode.window, 'createQuickPick', { value: createQuickPick, configurable: true });
  return {
    listed,
    [Symbol.dispose]: () => {
      if (before) Object.defineProperty(vscode.window, 'createQuickPick', before);
    },
  };
}

/** Others may come, such as of an answer that is ready. */
function said({ shown }: { readonly shown: readonly Shown[] }, words: string): boolean {
  return shown.some(({ text }) => text.includes(words));
}

describe('a git branch with what a branch changed', () => {
  const { shown, files, secondBranch, changedBranch } = useOwnFiles();
  const root = (): string => files().folder.uri.fsPath;
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: root() })).stdout.trim();

  /** VS Code's own git would look into a repository that is gone after the test, and fail in a test that comes later. */
  const letCodeLook = async (enabled: false | undefined): Promise<void> => {
    const settings = vscode.workspace.getConfiguration('git');
    await settings.update('enabled', enabled, vscode.ConfigurationTarget.Global);
  };

  before(() => letCodeLook(false));
  after(() => letCodeLook(undefined));
  beforeEach(async () => {
    await files().write('there.txt', 'one\ntwo\nthree\nfour\nfive\n');
    await git('init', '-q', '-b', 'main');
    await git('config', 'user.name', 'a');
    await git('config', 'user.email', 'a@b.test');
    await git('add', files().path('there.txt'));
    await git('commit', '-qm', 'first');
  });
  afterEach(async () => {
    await rm(path.join(root(), '.git'), { recursive: true, force: true });
  });

  const on = (name: string): Promise<string> => git('show', `attempt:${files().path(name)}`);

  it('has the changes of its own files, and the message what was asked', async () => {
    const branch = await changedBranch();
    await files().write('there.txt', 'one\ntwo\nthree\nfour\nFIVE of the user\n');
    using list = playFiles();
    using inputs = playInputs({ type: 'attempt' }, { type: 'A title' });
    using dialogs = playDialogs('Commit');
    using notes = playDialogs(undefined, 'showInformationMessage');
    await vscode.commands.executeCommand('offshoot.createGitBranch', branch);
    assert.deepEqual(inputs.left, []);
    assert.deepEqual(
      list.listed.map((rows) => rows.map((row) => row.replace(/.*\//u, ''))),
      [['made.txt new', 'there.txt +1 −3']],
    );
    assert.match(dialogs.shown[0]?.detail ?? '', /- hello[\s\S]*- write[\s\S]*made\.txt/u);
    assert.ok(said(notes, 'Created git branch “attempt”'));
    assert.equal(await on('made.txt'), 'made');
    assert.equal(await on('there.txt'), 'ONE\ntwo\nthree');
    assert.equal(await git('log', '-1', '--format=%B', 'attempt'), 'A title\n\n- hello\n- write');
    assert.equal(await git('rev-parse', 'attempt~1'), await git('rev-parse', 'main'));
    assert.equal(await git('symbolic-ref', '--short', 'HEAD'), 'main');
    assert.equal(await files().exists('made.txt'), false);
  });

  it('has the places that are selected, of files of the workspace as well', async () => {
    const branch = await secondBranch();
    await ask(shown().api, 'write');
    await files().write('there.txt', 'ONE\ntwo\nthree\nfour\nFIVE\n');
    const place = `Line 1: ONE`;
    using list = playFiles('there.txt');
    using inputs = playInputs({ pick: [place] }, { type: 'attempt' }, { type: 'A title' });
    using dialogs = playDialogs('Commit Without Questions');
    using notes = playDialogs(undefined, 'showInformationMessage');
    await vscode.commands.executeCommand('offshoot.createGitBranch', branch);
    assert.deepEqual([inputs.left, list.listed.length, dialogs.shown.length], [[], 2, 1]);
    assert.ok(said(notes, 'Created git branch “attempt”'));
    assert.equal(await on('there.txt'), 'ONE\ntwo\nthree\nfour\nfive');
    assert.equal(await on('made.txt'), 'made');
    assert.equal(await git('log', '-1', '--format=%B', 'attempt'), 'A title');
    assert.equal(await files().text('there.txt'), 'ONE\ntwo\nthree\nfour\nFIVE\n');
    assert.equal(await git('diff', '--cached', '--name-only'), '');
  });

  it('is described for a commit of the user’s own, with a link to the chat where it is wanted', async () => {
    const branch = await secondBranch();
    await ask(shown().api, 'write');
    const copied = async (...pick: string[]): Promise<string> => {
      using inputs = playInputs({ pick });
      using notes = playDialogs(undefined, 'showInformationMessage');
      await vscode.commands.executeCommand('offshoot.copyForCommit', branch);
      assert.deepEqual(inputs.left, []);
      assert.ok(said(notes, 'Copied. Paste it into a commit message'));
      return await vscode.env.clipboard.readText();
    };
    const all = await copied('Questions', 'Changed Files', 'Link to the Chat');
    const [subject = '', asked, changed, trailer = ''] = all.split('\n\n');
    assert.ok(subject !== '' && subject.length <= 72, subject);
    assert.equal(asked, 'Asked:\n- hello\n- write');
    assert.match(changed ?? '', /^Files:\n- \S*made\.txt \(created\)\n- \S*there\.txt \(changed\)$/u);
    const place = `/chat/${branch.chatId}/branch/${branch.name}`;
    assert.ok(/^Offshoot-Chat: \S+$/u.test(trailer) && trailer.includes(place), trailer);
    assert.equal(await copied('Questions'), `${subject}\n\n${asked}`);
  });

  it('is not made where nothing was changed, or the user cancels', async () => {
    const branch = await secondBranch();
    {
      using notes = playDialogs(undefined, 'showInformationMessage');
      await vscode.commands.executeCommand('offshoot.createGitBranch', branch);
      assert.ok(said(notes, 'changed no files that aren’t committed'));
    }
    await ask(shown().api, 'write');
    using _list = playFiles();
    using _inputs = playInputs({ type: 'attempt' }, { type: 'A title' });
    using _dialogs = playDialogs(undefined);
    await vscode.commands.executeCommand('offshoot.createGitBranch', branch);
    assert.equal(await git('branch', '--list', 'attempt'), '');
  });
});
