import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PortableChat } from '../../src/engine/portableChat.ts';
import { answer, lastQuestion, pause, refuse, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useShownTree } from './shownTree.ts';
import { ask, useModelServer, untilChanged, writableStore } from './support.ts';

describe('the tree', () => {
  const shown = useShownTree();
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question === 'slow') return [say('It begins'), pause('slow'), say(' and ends')];
    return question === 'refused' ? refuse(401) : answer(`You said ${question}`);
  });

  it('nests branches below the one they fork from, and checkpoints where they stand', async () => {
    const { api, openChat, outline } = shown();
    const { conversations } = api.parts;
    await ask(api, 'one');
    await conversations.createCheckpoint('first');
    await ask(api, 'two');
    const { to } = await conversations.restore('first');
    await ask(api, 'three');
    await conversations.createCheckpoint('second');
    await conversations.restore('second');
    assert.equal(to.name, 'main-v2');
    assert.deepEqual(await outline(await openChat()), [
      'Main line [git-branch]',
      '  first [bookmark]',
      '  three [git-branch]',
      '    second [bookmark]',
      '    New branch [circle-filled]',
    ]);
  });

  it('shows what a branch is doing and says it to screen readers: answering, failed, interrupted', async () => {
    const { api, openChat, outline, reopen } = shown();
    const { conversations } = api.parts;
    const said = async (): Promise<string[]> => {
      const labels: string[] = [];
      const chat = await openChat();
      for (const node of [chat, ...(await shown().tree.getChildren(chat))]) {
        const { accessibilityInformation } = await shown().tree.getTreeItem(node);
        labels.push(accessibilityInformation?.label ?? '');
      }
      return labels;
    };
    const run = await conversations.ask('slow');
    await server().pauseReached('slow');
    const icon = async (): Promise<unknown> => (await shown().tree.getTreeItem(await openChat())).iconPath;
    assert.deepEqual(await icon(), new vscode.ThemeIcon('loading~spin'));
    assert.match((await said()).join(), /answering/);
    await conversations.stop();
    await run.done;
    reopen();
    assert.deepEqual(await icon(), new vscode.ThemeIcon('comment-discussion'));
    assert.match((await said()).join(), /interrupted/);
    await conversations.rewind(run.questionId);
    await ask(api, 'refused');
    reopen();
    assert.deepEqual(await outline(await openChat()), ['Main line [debug-pause]', 'refused [error]']);
    const [, stopped = '', failed = ''] = await said();
    assert.match(stopped, /interrupted/);
    assert.match(failed, /failed/);
  });

  it('tells how long a branch is and when it was last used', async () => {
    const { api, openChat } = shown();
    await ask(api, 'one');
    const { description } = await shown().tree.getTreeItem(await openChat());
    assert.equal(description, 'active · 2 messages · now');
  });

  it('quotes messages in tooltips as they are, not as Markdown or links to commands', async () => {
    const { api, openChat } = shown();
    // What is Markdown in an answer is taken out; what only looks so stays, and is to be shown as it is.
    await ask(api, '[click] **bold <b> [quit](command:workbench.action.quit)');
    const chat = await openChat();
    const { tooltip } = await shown().tree.resolveTreeItem(await shown().tree.getTreeItem(chat), chat);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(!tooltip.isTrusted);
    assert.match(tooltip.value, /\\\[click\\\]/);
    assert.doesNotMatch(tooltip.value, /[^\\]\*\*bold|<b>|\]\(command:/);
  });

  it('keeps a node the same object while it stands for the same thing, and knows its parents', async () => {
    const { api, openChat } = shown();
    await ask(api, 'one');
    await api.parts.conversations.createCheckpoint('mark');
    const chat = await openChat();
    const { tree } = shown();
    const [mark] = await tree.getChildren(chat);
    assert.ok(mark);
    assert.equal(await tree.getParent(mark), chat);
    assert.equal(await tree.activeBranch(), chat);
    await api.parts.conversations.restore('mark');
    await api.parts.conversations.keepActiveBranch();
    await api.parts.conversations.switchBranch('main');
    shown().reopen();
    const again = await openChat();
    const [main] = await shown().tree.getChildren(again);
    assert.ok(main);
    shown().tree.refreshChat(chat.chatId);
    assert.equal(await openChat(), again);
    assert.equal((await shown().tree.getChildren(again))[0], main);
    const [markOfMain] = await shown().tree.getChildren(main);
    assert.ok(markOfMain);
    assert.equal(await shown().tree.getParent(markOfMain), main);
    assert.equal(await shown().tree.getParent(main), again);
    assert.equal(await shown().tree.activeBranch(), main);
  });

  it('shows a chat with one branch as one row, with all that the branch has', async () => {
    const { api, openChat, outline } = shown();
    const { conversations } = api.parts;
    await ask(api, 'one');
    const item = async (): Promise<vscode.TreeItem> => shown().tree.getTreeItem(await openChat());
    assert.deepEqual(await outline(await openChat()), []);
    const alone = await item();
    assert.equal(alone.label, 'one');
    assert.equal(alone.contextValue, 'chat single');
    assert.equal(alone.collapsibleState, vscode.TreeItemCollapsibleState.None);
    await conversations.createCheckpoint('mark');
    shown().reopen();
    assert.deepEqual(await outline(await openChat()), ['mark [bookmark]']);
    assert.equal((await item()).collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    await conversations.renameBranch((await openChat()).chatId, 'main', 'trunk');
    shown().reopen();
    assert.equal((await item()).description, 'trunk · active · 2 messages · now');
    await conversations.restore('mark');
    shown().reopen();
    assert.equal((await item()).contextValue, 'chat');
    assert.deepEqual(await outline(await openChat()), [
      'trunk [git-branch]',
      '  mark [bookmark]',
      '  New branch [circle-filled]',
    ]);
  });

  it('redraws only the row that changed, also when it has another name, and knows it by the new one', async () => {
    const { api, openChat } = shown();
    await ask(api, 'one');
    const [first] = await api.parts.conversations.path();
    await api.parts.conversations.rewind(first?.id ?? '');
    await ask(api, 'uno');
    const chat = await openChat();
    const [main] = await shown().tree.getChildren(chat);
    const drawn: unknown[] = [];
    const drawnOnce = new Promise<void>((resolve) => {
      shown().tree.onDidChangeTreeData((changed) => {
        drawn.push(changed);
        resolve();
      });
    });
    // Nothing has changed.
    shown().tree.refreshChat(chat.chatId);
    await api.parts.conversations.renameBranch(chat.chatId, 'main', 'trunk');
    shown().tree.refreshChat(chat.chatId);
    await drawnOnce;
    assert.deepEqual(drawn, [[main]]);
    assert.ok(main?.kind === 'branch');
    assert.equal(main.name, 'trunk');
  });

  it('shows the branches of an archived one where they fork', async () => {
    const { api, openChat, outline } = shown();
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    const [first] = await conversations.path();
    assert.ok(first);
    await conversations.rewind(first.id);
    await conversations.keepActiveBranch();
    await conversations.rewind(first.id);
    await conversations.archiveBranches([{ chatId: await current.chatId(), name: 'main-v2' }]);
    assert.deepEqual(await outline(await openChat()), [
      'Main line [git-branch]',
      '  New branch [circle-filled]',
    ]);
  });

  it('calls a branch by its first different message, until a user gives it a name', async () => {
    const { api, openChat } = shown();
    await ask(api, 'one');
    const [first] = await api.parts.conversations.path();
    assert.ok(first);
    await api.parts.conversations.rewind(first.id);
    await ask(api, 'uno');
    // Another first question is a line of its own.
    const [, edited] = await shown().tree.getChildren(await openChat());
    assert.ok(edited?.kind === 'branch');
    const called = async (): Promise<unknown[]> => {
      const { label, description } = await shown().tree.getTreeItem(edited);
      return [label, description];
    };
    assert.deepEqual(await called(), ['uno', 'active · 2 messages · now']);
    const { chatId } = await openChat();
    await api.parts.conversations.renameBranch(chatId, edited.name, 'in Spanish');
    shown().tree.refreshChat(chatId);
    await until(
      async () => (await called()).join() === 'in Spanish,uno · active · 2 messages · now',
      'the name that was given',
    );
  });

  it('shows what was looked for and the way there, and everything again', async () => {
    const { api, openChat, outline } = shown();
    await ask(api, 'about herons');
    await api.parts.conversations.createCheckpoint('xylophone');
    await ask(api, 'two');
    await api.parts.conversations.restore('xylophone');
    assert.equal(await shown().tree.filter('XYLO'), 1);
    assert.deepEqual(await outline(await openChat()), ['Main line [git-branch]', '  xylophone [bookmark]']);
    assert.equal((await shown().tree.getChildren()).length, 1);
    assert.equal(await shown().tree.filter('nothing has this'), 0);
    assert.deepEqual(await shown().tree.getChildren(), []);
    await shown().tree.filter('');
    assert.equal((await outline(await openChat())).length, 3);
  });

  it('shows only what failed, or what is archived, with a mark and a way back', async () => {
    const { api, openChat, outline, reopen } = shown();
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    const chatId = await current.chatId();
    const [question] = await conversations.path();
    await conversations.rewind(question?.id ?? '');
    await ask(api, 'refused');
    await conversations.switchBranch('main');
    // Other chats have such branches, too.
    const isShown = async (): Promise<boolean> =>
      (await shown().tree.getChildren()).some((node) => node.chatId === chatId);
    await shown().tree.filter('', ['archived']);
    assert.equal(await isShown(), false);
    assert.ok((await shown().tree.filter('', ['failed'])) >= 1);
    assert.deepEqual(await outline(await openChat()), ['refused [error]']);
    const failed = (await api.parts.store.listBranches(chatId)).find(({ name }) => name !== 'main');
    await conversations.archiveBranches([{ chatId, name: failed?.name ?? '' }]);
    reopen();
    assert.equal((await outline(await openChat())).length, 0);
    assert.ok((await shown().tree.filter('', ['archived'])) >= 1);
    const [archived] = await shown().tree.getChildren(await openChat());
    assert.ok(archived);
    const { contextValue, description } = await shown().tree.getTreeItem(archived);
    assert.equal(contextValue, 'branch archived');
    assert.match(String(description), /archived/);
    await vscode.commands.executeCommand('offshoot.unarchiveBranch', archived);
    await shown().tree.filter('');
    assert.equal((await outline(await openChat())).length, 2);
  });

  it('tells rows apart that begin alike', async () => {
    const { api, openChat, outline } = shown();
    const { conversations } = api.parts;
    await ask(api, 'one');
    const [, answered] = await conversations.path();
    for (const topic of ['JavaScript', 'Rust']) {
      await conversations.rewind(answered?.id ?? '');
      await ask(api, `Explain what a closure is in ${topic}`);
    }
    const [main] = await shown().tree.getChildren(await openChat());
    const labels = (await outline(main ?? (await openChat()))).map((line) => line.replace(/ \[.*/, ''));
    assert.deepEqual(labels, ['…JavaScript', '…Rust']);
  });

  it('goes to the checkpoint or the branch that was dropped on the chat, once', async () => {
    const { api, openChat } = shown();
    const { conversations, store, current } = api.parts;
    await ask(api, 'one');
    await conversations.createCheckpoint('mark');
    await ask(api, 'two');
    const [mark] = await shown().tree.getChildren(await openChat());
    assert.ok(mark);
    const isOn = async (name: string): Promise<boolean> =>
      (await store.getActiveBranch(await current.chatId()))?.name === name;
    api.treeDrag.handleDrag([mark], new vscode.DataTransfer());
    await api.chat.receive({ type: 'dropTreeItem' });
    await untilChanged(api, () => isOn('main-v2'));
    shown().reopen();
    const [main] = await shown().tree.getChildren(await openChat());
    assert.ok(main);
    api.treeDrag.handleDrag([main], new vscode.DataTransfer());
    await api.chat.receive({ type: 'dropTreeItem' });
    await untilChanged(api, () => isOn('main'));
    assert.equal(api.treeDrag.take(), undefined);
  });

  it('previews a checkpoint of another branch on a click, and restores it on a double click', async () => {
    const { api } = shown();
    const { conversations, current, store } = api.parts;
    await ask(api, 'one');
    const chatId = await current.chatId();
    await ask(api, 'two');
    await conversations.createCheckpoint('after two');
    const [question] = await conversations.path();
    await conversations.rewind(question?.id ?? assert.fail());
    await ask(api, 'another one');
    const active = async (): Promise<string | undefined> => (await store.getActiveBranch(chatId))?.name;
    const before = await active();
    const row = { kind: 'checkpoint', chatId, name: 'after two' };
    const click = () => vscode.commands.executeCommand('offshoot.previewCheckpoint', row);
    await click();
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /You said two/);
    assert.equal(await active(), before, 'the chat stays where it is');
    // Both at once, so that a slow machine does not make them two clicks.
    await Promise.all([click(), click()]);
    assert.notEqual(await active(), before);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('shows some of very many branches at first, always the one that is active, and more on demand', async () => {
    const { api, openChat } = shown();
    const { current } = api.parts;
    const time = 1_700_000_000_000;
    const branches = Array.from({ length: 10_000 }, (_, index) => ({
      name: index === 0 ? 'main' : `branch ${index}`,
      headMessageId: index === 0 ? 'q' : `a${index}`,
      forkMessageId: index === 0 ? null : 'q',
      ...(index === 0 ? {} : { parentBranch: 'main' }),
      isActive: index === 9_000,
      createdAt: time + index,
    }));
    const message = (id: string, parentId: string | null): PortableChat['messages'][number] => ({
      id,
      parentId,
      name: parentId === null ? 'user' : 'assistant',
      type: 'message',
      data: {
        id,
        role: parentId === null ? 'user' : 'assistant',
        parts: [{ type: 'text', text: `says ${id}` }],
      },
      invocationId: 'q',
      createdAt: time,
    });
    const [chatId = ''] = await writableStore(api).importChats(api.parts.userId, [
      {
        id: crypto.randomUUID(),
        title: 'Very many',
        metadata: {},
        createdAt: time,
        updatedAt: time,
        messages: [message('q', null), ...branches.slice(1).map((_, index) => message(`a${index + 1}`, 'q'))],
        branches,
        checkpoints: [],
        events: [],
      },
    ]);
    await current.open(chatId);
    const [main] = await shown().tree.getChildren(await openChat());
    assert.ok(main);
    const first = await shown().tree.getChildren(main);
    assert.equal(first.length, 52);
    const active = await shown().tree.activeBranch();
    assert.ok(active && first.includes(active));
    const more = first.at(-1);
    assert.ok(more?.kind === 'more');
    assert.equal(more.hidden, 9_948);
    shown().tree.showMore(more);
    await new Promise((resolve) => shown().tree.onDidChangeTreeData(resolve));
    assert.equal((await shown().tree.getChildren(main)).length, 102);
    assert.equal(await shown().tree.filter('9876'), 1);
    assert.equal((await shown().tree.getChildren(main)).length, 1);
    await writableStore(api).deleteChat(chatId);
    await current.leave(chatId);
  });
});
