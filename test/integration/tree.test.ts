import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OffshootApi } from '../../src/extension/extension.ts';
import { ConversationTree } from '../../src/extension/tree/conversationTree.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import { answer, lastQuestion, pause, refuse, say } from '../fixtures/openaiServer.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('the tree', () => {
  let api: OffshootApi;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question === 'slow') return [say('It begins'), pause('slow'), say(' and ends')];
    return question === 'refused' ? refuse(401) : answer(`You said ${question}`);
  });
  let tree: ConversationTree;

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await api.services.current.startNew();
    tree = new ConversationTree(api.services);
  });
  afterEach(() => tree.dispose());

  const openChat = async (): Promise<TreeNode> => {
    const chatId = await api.services.current.chatId();
    const node = (await tree.getChildren()).find((each) => each.chatId === chatId);
    assert.ok(node, 'the chat is in the tree');
    return node;
  };
  /** Everything below a node, each line with its icon, indented by two spaces per level. */
  const outline = async (node: TreeNode, indent = ''): Promise<string[]> => {
    const lines: string[] = [];
    for (const child of await tree.getChildren(node)) {
      const item = await tree.getTreeItem(child);
      const icon = item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : '';
      const label = typeof item.label === 'string' ? item.label : item.label?.label;
      lines.push(`${indent}${label ?? ''} [${icon}]`, ...(await outline(child, `${indent}  `)));
    }
    return lines;
  };
  const anew = (): void => {
    tree.dispose();
    tree = new ConversationTree(api.services);
  };

  it('nests branches below the one they fork from, and checkpoints where they stand', async () => {
    const { conversations } = api.services;
    await ask(api, 'one');
    await conversations.createCheckpoint('first');
    await ask(api, 'two');
    const { to } = await conversations.restore('first');
    await ask(api, 'three');
    await conversations.createCheckpoint('second');
    await conversations.restore('second');
    assert.equal(to.name, 'main-v2');
    assert.deepEqual(await outline(await openChat()), [
      'main [git-branch]',
      '  first [bookmark]',
      '  main-v2 [git-branch]',
      '    second [bookmark]',
      '    main-v2-v2 [circle-filled]',
    ]);
  });

  it('shows what a branch is doing: answering, failed, interrupted', async () => {
    const { conversations } = api.services;
    const run = await conversations.ask('slow');
    await server().pauseReached('slow');
    assert.deepEqual(await outline(await openChat()), ['main [loading~spin]']);
    await conversations.stop();
    await run.done;
    anew();
    assert.deepEqual(await outline(await openChat()), ['main [circle-filled]']);
    await conversations.rewind(run.questionId);
    await ask(api, 'refused');
    anew();
    assert.deepEqual(await outline(await openChat()), ['main [debug-pause]', '  main-v2 [error]']);
  });

  it('tells how long a branch is and when it was last used', async () => {
    await ask(api, 'one');
    const [main] = await tree.getChildren(await openChat());
    assert.ok(main);
    const { description } = await tree.getTreeItem(main);
    assert.equal(description, 'active · 2 messages · now');
  });

  it('quotes messages in tooltips as they are, not as Markdown or links to commands', async () => {
    await ask(api, '[click](command:workbench.action.quit) **bold** <b>');
    const [main] = await tree.getChildren(await openChat());
    assert.ok(main);
    const { tooltip } = await tree.resolveTreeItem(await tree.getTreeItem(main), main);
    assert.ok(tooltip instanceof vscode.MarkdownString);
    assert.ok(!tooltip.isTrusted);
    assert.match(tooltip.value, /\\\[click\\\]/);
    assert.doesNotMatch(tooltip.value, /[^\\]\*\*bold|<b>/);
  });

  it('keeps a node the same object while it stands for the same thing, and knows its parents', async () => {
    await ask(api, 'one');
    await api.services.conversations.createCheckpoint('mark');
    const chat = await openChat();
    const [main] = await tree.getChildren(chat);
    assert.ok(main);
    const [mark] = await tree.getChildren(main);
    assert.ok(mark);
    tree.refreshChat(chat.chatId);
    assert.equal(await openChat(), chat);
    assert.equal((await tree.getChildren(chat))[0], main);
    assert.equal(await tree.getParent(mark), main);
    assert.equal(await tree.getParent(main), chat);
    assert.equal(await tree.activeBranch(), main);
  });

  it('draws only the chat anew that changed, if it was the last one used', async () => {
    await ask(api, 'one');
    const chat = await openChat();
    const drawn = new Promise((resolve) => tree.onDidChangeTreeData(resolve));
    tree.refreshChat(chat.chatId);
    tree.refreshChat(chat.chatId);
    assert.deepEqual(await drawn, [chat]);
  });

  it('shows the branches of an archived one at the top', async () => {
    const { conversations, store, current } = api.services;
    await ask(api, 'one');
    const [first] = await conversations.path();
    assert.ok(first);
    await conversations.rewind(first.id);
    await conversations.rewind(first.id);
    await store.archiveBranch(await current.chatId(), 'main-v2');
    assert.deepEqual(await outline(await openChat()), ['main [git-branch]', 'main-v2-v2 [circle-filled]']);
  });
});
