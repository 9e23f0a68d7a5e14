import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { readAlternatives } from '../../src/extension/chat/readAlternatives.ts';
import { differencesBetween, differencesFromBase } from '../../src/extension/chat/compareAttempts.ts';
import { actOnAttempt } from '../../src/extension/chat/actOnAttempt.ts';
import { planKeep } from '../../src/extension/files/keepBranchFiles.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import type { AlternativeView } from '../../src/protocol/chatFromHost.ts';
import { SUM, SUM_TEST } from '../fixtures/failingSum.ts';
import {
  answer,
  conversationOf,
  pause,
  refuse,
  useTools,
  type RecordedRequest,
} from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { openAlternatives } from './alternativesPage.ts';
import { playDialogs } from './dialogs.ts';
import { FolderFiles } from './folderFiles.ts';
import { playInputs, type Played } from './playInputs.ts';
import { useShownTree } from './shownTree.ts';
import { ask, setSetting, untilChanged, useModelServer } from './support.ts';

/** The words that a branch was given to go about it. */
const hintIn = (request: RecordedRequest): string =>
  /go about it like this: (\w+)/u.exec(conversationOf(request)[0]?.text ?? '')?.[1] ?? '';

describe('a race', function () {
  // Three branches, each with a terminal.
  this.timeout(60_000);
  const shown = useShownTree();
  let files: FolderFiles;
  const server = useModelServer((request) => {
    if (request.body.messages.at(-1)?.role === 'tool') return answer(`Fixed: ${hintIn(request)}.`);
    if (hintIn(request) === 'runs')
      return useTools(['run_command', { command: 'pwd', folder: files.path('.') }]);
    const edit = (from: string, to: string) =>
      useTools(['write_file', { path: files.path('sum.mjs'), content: SUM.replace(from, to) }]);
    switch (hintIn(request)) {
      case 'beginning':
        return edit('let total = 1', 'let total = 0');
      case 'badly':
        return edit('let total = 1', 'let total = 2');
      case 'end':
        return edit('return total', 'return total - 1');
      case 'waits':
        return [pause(), ...answer('At last.')];
      case 'breaks':
        return refuse(400, { message: 'no such thing' });
      default:
        return answer('Hello.');
    }
  });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@localhost', ...args], {
      cwd: files.folder.uri.fsPath,
      encoding: 'utf8',
    });

  beforeEach(async () => {
    files = FolderFiles.forOneTest('race');
    await setSetting('tools.edits', 'reviewAfterwards');
    await files.write('sum.mjs', SUM);
    await files.write('test.mjs', SUM_TEST);
    git('init', '--quiet');
    git('add', files.path('sum.mjs'), files.path('test.mjs'));
    git('commit', '--quiet', '-m', 'Begin');
  });
  afterEach(async () => {
    await setSetting('tools.edits', undefined);
    await setSetting('modelOverrides', undefined);
    const { ownFiles, workspaceState, approvals } = shown().api.parts;
    const host = await ownFiles.host();
    for (const { id } of await host.list()) await host.remove(id);
    await ownFiles.refresh();
    await workspaceState.update('offshoot.check', undefined);
    await approvals.reset();
    await new FolderFiles().remove('.git');
    await files.remove();
  });

  const HINTS: readonly Played[] = [
    { pick: 'Hints…' },
    { type: 'beginning' },
    { type: 'badly' },
    { type: 'end' },
  ];
  const untilMended = (): Played[] => [
    { pick: 'Other Command…' },
    { type: `node ${files.path('test.mjs')}` },
  ];
  const first = (count: number): Played[] => [{ pick: ['test-model'] }, { type: String(count) }];

  /** Starts one about a question that was asked, and waits until every answer, but no check, has ended. */
  async function race(question: string, played: readonly Played[]): Promise<string> {
    const { api } = shown();
    await ask(api, question);
    const [asked = assert.fail('nothing was asked')] = await api.parts.conversations.path();
    using inputs = playInputs(...played);
    {
      using _dialogs = playDialogs('Run Check');
      await vscode.commands.executeCommand('offshoot.race', { messageId: asked.id });
    }
    assert.deepEqual(inputs.left, []);
    return asked.id;
  }
  const attempts = async (questionId: string): Promise<readonly AlternativeView[]> => {
    const { parts } = shown().api;
    const read = await readAlternatives(parts, await parts.current.chatId(), questionId);
    return (read?.alternatives ?? []).filter(({ attempt }) => attempt);
  };
  const checked = async (questionId: string, count: number): Promise<readonly AlternativeView[]> => {
    const ends = new Set(['passed', 'failed', 'stopped', 'late']);
    return until(async () => {
      const all = await attempts(questionId);
      return all.filter(({ attempt }) => ends.has(attempt?.check?.state ?? '')).length === count && all;
    }, 'every check to end');
  };
  const recordOf = async (branch: string) => {
    const { parts } = shown().api;
    const found = await parts.store.getBranch(await parts.current.chatId(), branch);
    const known = await parts.ownFiles.known();
    return (found && (await known?.recordAt(found))) ?? assert.fail(`${branch} has no files`);
  };

  /** All rows below a chat. */
  async function rowsOf(chatId: string): Promise<vscode.TreeItem[]> {
    shown().reopen();
    const { tree } = shown();
    const items: vscode.TreeItem[] = [];
    const below = async (nodes: readonly TreeNode[]): Promise<void> => {
      for (const node of nodes) {
        items.push(await tree.getTreeItem(node));
        await below(await tree.getChildren(node));
      }
    };
    const chats = await tree.getChildren();
    await below(await tree.getChildren(chats.find((node) => node.kind === 'chat' && node.chatId === chatId)));
    return items;
  }

  it('is judged by a check, compared, and one is kept in what the user typed meanwhile', async () => {
    const questionId = await race('fix it', [...first(3), ...HINTS, ...untilMended()]);
    // The user goes on typing.
    const typed = SUM.replace('return total;', 'return total; // as it was');
    await files.write('sum.mjs', typed);
    const before = await files.bytes('sum.mjs');
    const all = await checked(questionId, 3);
    assert.deepEqual(
      all.map(({ attempt, messages }) => [
        attempt?.hint,
        messages.at(-1)?.status,
        attempt?.check?.state,
        attempt?.changed.map(({ path, kind }) => [path, kind]),
      ]),
      [
        ['beginning', 'complete', 'passed', [[files.path('sum.mjs'), 'changed']]],
        ['badly', 'complete', 'failed', [[files.path('sum.mjs'), 'changed']]],
        ['end', 'complete', 'passed', [[files.path('sum.mjs'), 'changed']]],
      ],
    );
    assert.match(all[0]?.attempt?.check?.output ?? '', /all is well/u);
    assert.match(all[1]?.attempt?.check?.output ?? '', /sum\(\[1, 2\]\) is 5/u);
    assert.equal(all[1]?.attempt?.check?.exitCode, 1);
    await until(
      async () => (await attempts(questionId)).every(({ attempt }) => attempt?.lines?.added === 1),
      'the lines to be counted',
    );
    assert.deepEqual(await files.bytes('sum.mjs'), before, 'the workspace is as the user left it');
    assert.deepEqual(
      git('status', '--porcelain', '--', files.path('.')).trim(),
      `M ${files.path('sum.mjs')}`,
    );

    const [one, two, three] = all.map(({ branch }) => branch);
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    const { conversations, current, files: changedFiles, history, ownFiles } = shown().api.parts;
    const host = await ownFiles.host();
    const changes = await Promise.all(
      [one, two].map(async (each) => host.changes((await recordOf(each)).id)),
    );
    const [own = [], other = []] = changes;
    const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
    assert.deepEqual(
      differencesBetween(own, other).map(({ left, right }) => [textOf(left?.bytes), textOf(right?.bytes)]),
      [[SUM.replace('= 1', '= 0'), SUM.replace('= 1', '= 2')]],
    );
    assert.deepEqual(
      differencesFromBase(own).map(({ left }) => textOf(left?.bytes)),
      [SUM],
    );

    // What the user typed and the third did are in the same place; the first is elsewhere in the file.
    const chatId = await current.chatId();
    const conflicting = await planKeep(host, changedFiles, chatId, (await recordOf(three)).id);
    assert.deepEqual(
      conflicting.changes.map(({ isMarked }) => isMarked),
      [true],
    );
    {
      using _dialogs = playDialogs(undefined, 'showInformationMessage');
      await vscode.commands.executeCommand('offshoot.keepBranchFiles', { kind: 'branch', chatId, name: one });
    }
    assert.equal(await files.text('sum.mjs'), typed.replace('= 1', '= 0'));
    assert.equal((await shown().api.parts.store.getActiveBranch(chatId))?.name, one);
    assert.match(JSON.stringify(await conversations.path()), /Fixed: beginning/u);
    assert.ok(await history.take('undo', { chatId }));
    assert.deepEqual(await files.bytes('sum.mjs'), before);
  });

  it('shows in the tree how each was checked, and what it cost', async () => {
    const price = { input: 20_000, output: 20_000, contextWindow: 100_000 };
    await setSetting('modelOverrides', { 'openai-compatible/test-model': price });
    const questionId = await race('fix it', [...first(3), ...HINTS, ...untilMended()]);
    await checked(questionId, 3);
    const chatId = await shown().api.parts.current.chatId();
    const rows = async (): Promise<string[]> =>
      (await rowsOf(chatId))
        .map(({ description }) => String(description))
        .filter((text) => text.startsWith('own files'));
    await until(
      async () =>
        (await rows()).map((text) => text.split(' · ').slice(0, 2).join(' · ')).join('\n') ===
        [
          'own files +1 −1 · check passed',
          'own files +1 −1 · check failed',
          'own files +1 −1 · check passed',
        ].join('\n'),
      'the rows of the tree',
    );
    await until(
      async () => (await rows()).every((text) => /· \$\d+\.\d\d(?: ·|$)/u.test(text)) || undefined,
      'the cost of each',
    );
  });

  it('goes on with the others where one fails, and does not check that one', async () => {
    const questionId = await race('fix it', [
      ...first(2),
      { pick: 'Hints…' },
      { type: 'breaks' },
      { type: 'beginning' },
      ...untilMended(),
    ]);
    const all = await checked(questionId, 1);
    assert.deepEqual(
      all.map(({ attempt, messages }) => [messages.at(-1)?.status, attempt?.check?.state]),
      [
        ['failed', 'none'],
        ['complete', 'passed'],
      ],
    );
  });

  it('goes on from its page where the budget stopped a branch, and is checked then', async () => {
    const { api } = shown();
    await setSetting('budget', { perMessage: { tokens: 1 } });
    try {
      const requests = server().requests.length;
      const questionId = await race('fix it', [
        ...first(2),
        { pick: 'Hints…' },
        { type: 'badly' },
        { type: 'beginning' },
        ...untilMended(),
      ]);
      const chatId = await api.parts.current.chatId();
      await untilChanged(api, () => api.parts.runs.list(chatId).length === 0);
      assert.equal(server().requests.length, requests, 'nothing was sent');
      const [other, stopped] = await attempts(questionId);
      const branch = stopped?.branch ?? assert.fail('there is no second branch');
      assert.deepEqual(
        [other, stopped].map((each) => [each?.messages.at(-1)?.isAtBudget, each?.attempt?.check?.state]),
        [
          [true, 'none'],
          [true, 'none'],
        ],
      );
      const place = { chatId, questionId };
      using page = openAlternatives(api, place);
      page.say({ type: 'retryAnswer', place, branch, onBudget: 'once' });
      await until(async () => {
        const last = (await attempts(questionId))[1]?.messages.at(-1);
        return last?.canContinue && last.isAtBudget && last;
      }, 'the second step to be stopped');
      page.say({ type: 'continueAnswer', place, branch, onBudget: 'once' });
      const [, done] = await until(async () => {
        const all = await attempts(questionId);
        return all[1]?.attempt?.check?.state === 'passed' && all;
      }, 'the check to pass');
      assert.equal(done?.messages.at(-1)?.status, 'complete');
      assert.equal(server().requests.length, requests + 2, 'the other branch waits');
    } finally {
      await setSetting('budget', undefined);
    }
  });

  it('begins with a question that was typed, and says which caps hold for it', async () => {
    const { api } = shown();
    const { conversations, settings, store } = api.parts;
    await vscode.commands.executeCommand('offshoot.newChat');
    await setSetting('budget', { perMessage: { tokens: 1 } });
    try {
      using inputs = playInputs(
        ...[...first(2), { pick: 'Hints…' }, { type: 'beginning' }, { type: 'badly' }],
        ...[{ pick: 'Raise Cap…' }, { type: '1000000' }, { pick: 'No Check' }],
      );
      await vscode.commands.executeCommand('offshoot.race', { typed: 'fix what I typed' });
      assert.deepEqual(inputs.left, []);
      assert.deepEqual(settings.get('budget'), { perMessage: { tokens: 1_000_000 } });
      const path = await conversations.path();
      assert.deepEqual(
        path.map(({ name }) => name),
        ['user'],
        'the chat waits with it',
      );
      const [asked = assert.fail('nothing was asked')] = path;
      const chatId = await api.parts.current.chatId();
      assert.equal((await store.getChat(chatId))?.title, 'fix what I typed');
      const all = await until(async () => {
        const found = await attempts(asked.id);
        return (
          found.length === 2 && found.every(({ messages }) => messages.at(-1)?.status === 'complete') && found
        );
      }, 'both answers');
      assert.ok(all.every(({ attempt }) => attempt?.check === undefined));
    } finally {
      await setSetting('budget', undefined);
    }
  });

  it('leaves nothing where it is given up before it begins', async () => {
    await vscode.commands.executeCommand('offshoot.newChat');
    const { conversations, ownFiles } = shown().api.parts;
    using _inputs = playInputs({ pick: [] });
    await vscode.commands.executeCommand('offshoot.race', { typed: 'never mind' });
    assert.deepEqual(await conversations.path(), []);
    assert.deepEqual(await (await ownFiles.host()).list(), []);
  });

  it('goes on while another chat is looked at, and the tree shows how each stands', async () => {
    const { api } = shown();
    const { approvals, current, runs } = api.parts;
    const hints = [{ pick: 'Hints…' }, { type: 'runs' }, { type: 'waits' }, { type: 'breaks' }];
    await race('hello', [...first(3), ...hints, { pick: 'No Check' }]);
    const chatId = await current.chatId();
    await until(() => approvals.list().length === 1, 'the question for approval');
    await server().pauseReached();
    await untilChanged(api, () => runs.list(chatId).length === 2);
    await vscode.commands.executeCommand('offshoot.newChat');
    const icons = async (): Promise<(string | undefined)[]> =>
      (await rowsOf(chatId)).flatMap(({ description, iconPath }) =>
        String(description).startsWith('own files') ? [(iconPath as vscode.ThemeIcon).id] : [],
      );
    await until(
      async () => (await icons()).join() === 'bell-dot,loading~spin,error',
      'asking, answering and failed',
    );
    assert.equal(runs.list(chatId).length, 2);
    server().release();
    for (const { id } of approvals.list()) approvals.answer(id, 'deny');
    await untilChanged(api, () => runs.list(chatId).length === 0);
    await until(async () => (await icons()).join() === 'git-branch,git-branch,error', 'two to be done');
  });

  it('shows a check that another window runs, until that has ended', async () => {
    const { api } = shown();
    const { folder, ownFiles } = api.parts;
    const questionId = await race('fix it', [
      ...first(2),
      ...[{ pick: 'Hints…' }, { type: 'beginning' }, { type: 'badly' }],
      ...untilMended(),
    ]);
    const [{ branch } = assert.fail('there is none')] = await checked(questionId, 2);
    const { id } = await recordOf(branch);
    const state = async () => (await attempts(questionId))[0]?.attempt?.check?.state;
    let changes = 0;
    const listening = ownFiles.onDidChange(() => (changes += 1));
    try {
      // As the other window says it: by a process that is alive.
      const name = `${id}.${process.ppid}.${encodeURIComponent(hostname())}.check`;
      const claim = vscode.Uri.joinPath(folder, 'branches', name);
      await vscode.workspace.fs.writeFile(claim, new Uint8Array());
      await until(() => changes > 0, 'this window to notice');
      assert.equal(await state(), 'elsewhere');
      await actOnAttempt(api.parts, await api.parts.current.chatId(), { branch, action: 'runCheck' });
      assert.equal(await state(), 'elsewhere', 'it is not run twice');
      const before = changes;
      await vscode.workspace.fs.delete(claim);
      await until(() => changes > before, 'this window to notice the end');
      await until(async () => (await state()) !== 'elsewhere', 'the check to have ended');
    } finally {
      listening.dispose();
    }
  });

  it('stops a check that never ends, and one that writes without end', async () => {
    await setSetting('branchFiles', { checkMinutes: 0.03 });
    try {
      const questionId = await race('hello', [
        ...first(2),
        { pick: 'Nothing' },
        { pick: 'Other Command…' },
        { type: 'yes flood' },
      ]);
      for (const { attempt } of await checked(questionId, 2)) {
        assert.equal(attempt?.check?.state, 'late');
        assert.ok((attempt.check.output ?? '').length < 50_000);
      }
    } finally {
      await setSetting('branchFiles', undefined);
    }
  });

  it('has a check stopped by the user, run again, and run after a follow-up question', async () => {
    const { api } = shown();
    const flag = files.path('flag');
    const questionId = await race('hello', [
      ...first(2),
      { pick: 'Nothing' },
      { pick: 'Other Command…' },
      { type: `test -e "${flag}" || sleep 600` },
    ]);
    const running = async () =>
      (await attempts(questionId)).filter(({ attempt }) => attempt?.check?.state === 'running');
    await until(async () => (await running()).length === 2, 'both checks to run');
    const chatId = await api.parts.current.chatId();
    const [branch = assert.fail('there is no branch'), other = assert.fail('there is only one')] = (
      await attempts(questionId)
    ).map((each) => each.branch);
    for (const each of [branch, other])
      await actOnAttempt(api.parts, chatId, { branch: each, action: 'stopCheck' });
    assert.deepEqual(
      (await checked(questionId, 2)).map(({ attempt }) => attempt?.check?.state),
      ['stopped', 'stopped'],
    );
    const folder = (await recordOf(branch)).folders[0]?.uri ?? '';
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(vscode.Uri.parse(folder, true), flag),
      new Uint8Array(),
    );
    await actOnAttempt(api.parts, chatId, { branch, action: 'runCheck' });
    assert.equal((await attempts(questionId))[0]?.attempt?.check?.state, 'passed');

    const requests = server().requests.length;
    using _question = playInputs({ type: 'hello again' });
    await actOnAttempt(api.parts, chatId, { branch, action: 'ask' });
    await untilChanged(api, () => api.parts.runs.get(chatId, branch) === undefined);
    assert.equal(server().requests.length, requests + 1);
    const after = await until(async () => {
      const [first] = await attempts(questionId);
      return first?.attempt?.check?.state === 'passed' && first;
    }, 'the check after the answer');
    assert.deepEqual(
      after.messages.map(({ role }) => role),
      ['assistant', 'user', 'assistant'],
    );
    assert.notEqual((await api.parts.store.getActiveBranch(chatId))?.name, branch);
  });

  it('names the branch that asks for approval, and asks once for its check', async () => {
    const { api } = shown();
    const { approvals, current, runs, labels, workspaceState } = api.parts;
    const hints = [{ pick: 'Hints…' }, { type: 'runs' }, { type: 'runs' }];
    await race('hello', [...first(2), ...hints, { pick: 'No Check' }]);
    const chatId = await current.chatId();
    const asked = await until(() => approvals.list().length === 2 && approvals.list(), 'both questions');
    const names = runs.list(chatId).map(({ branch }) => branch);
    const wanted = await Promise.all(names.map((name) => labels.label(chatId, name)));
    assert.deepEqual(asked.map(({ branch }) => branch).sort(), wanted.sort());
    for (const { id } of asked) approvals.answer(id, 'deny');
    await untilChanged(api, () => runs.list(chatId).length === 0);
    assert.equal(workspaceState.get('offshoot.check'), '');
  });
});
