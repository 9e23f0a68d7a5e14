import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventText } from '../../src/extension/history/eventText.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ConversationTree } from '../../src/extension/tree/conversationTree.ts';
import type { TreeNode } from '../../src/extension/tree/treeNodes.ts';
import {
  answer,
  finish,
  lastQuestion,
  pause,
  say,
  toolResultsOf,
  useTools,
} from '../fixtures/openaiServer.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('the tree of a chat with explored tasks', () => {
  let api: Offshoot;
  let tree: ConversationTree;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question === 'birds') {
      const tasks = ['Herons', 'Cranes'].map((title) => ({ title, prompt: `look for ${title}` }));
      return toolResultsOf(request).length === 0
        ? useTools(['explore', { tasks }])
        : answer('Both are there.');
    }
    if (question.startsWith('look for ')) return [say('Seen'), pause(question), finish()];
    return answer(`You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    tree = new ConversationTree(api.parts);
  });
  afterEach(() => tree.dispose());

  const openChat = async (): Promise<TreeNode> => {
    const chatId = await api.parts.current.chatId();
    const node = (await tree.getChildren()).find((each) => each.chatId === chatId);
    assert.ok(node, 'the chat is in the tree');
    return node;
  };
  /** Everything below a node, each line with its icon, indented by two spaces per level. */
  const outline = async (node: TreeNode, indent = ''): Promise<string[]> => {
    const lines: string[] = [];
    for (const child of await tree.getChildren(node)) {
      const { iconPath, label } = await tree.getTreeItem(child);
      const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : '';
      lines.push(
        `${indent}${typeof label === 'string' ? label : ''} [${icon}]`,
        ...(await outline(child, `${indent}  `)),
      );
    }
    return lines;
  };
  const anew = (): void => {
    tree.dispose();
    tree = new ConversationTree(api.parts);
  };

  it('gathers them below the branch of their answer, open while they run', async () => {
    const { conversations } = api.parts;
    const run = await conversations.ask('birds');
    const look = ['look for Herons', 'look for Cranes'];
    for (const each of look) await server().pauseReached(each);
    const chat = await openChat();
    assert.deepEqual(await outline(chat), [
      'Main line [loading~spin]',
      '  Explorations [loading~spin]',
      '    Herons [loading~spin]',
      '    Cranes [loading~spin]',
    ]);
    const [main] = await tree.getChildren(chat);
    const [tasks] = await tree.getChildren(main);
    const [herons] = await tree.getChildren(tasks);
    assert.ok(tasks && herons?.kind === 'branch');
    const { description, collapsibleState } = await tree.getTreeItem(tasks);
    assert.deepEqual(
      [description, collapsibleState],
      ['2 of 2 running', vscode.TreeItemCollapsibleState.Expanded],
    );
    assert.match(String((await tree.getTreeItem(herons)).description), /^exploring… 1 step · /);
    assert.equal(await tree.getParent(herons), tasks);
    assert.equal(await tree.getParent(tasks), main);
    for (const each of look) server().release(each);
    await run.done;

    anew();
    const ended = ['Main line [circle-filled]', '  Explorations [telescope]', '    Herons [telescope]'];
    assert.deepEqual(await outline(await openChat()), [...ended, '    Cranes [telescope]']);
    const [mainNow] = await tree.getChildren(await openChat());
    const [group] = await tree.getChildren(mainNow);
    assert.ok(group);
    const item = await tree.getTreeItem(group);
    assert.deepEqual(
      [item.description, item.collapsibleState],
      ['2', vscode.TreeItemCollapsibleState.Collapsed],
    );

    assert.equal(await tree.filter('heron'), 1);
    assert.deepEqual(await outline(await openChat()), ended);
    await tree.filter('', ['mine']);
    assert.deepEqual(await outline(await openChat()), ended.slice(0, 1), 'nobody asked for them');
    await tree.filter('');
    await conversations.renameBranch(herons.chatId, herons.name, 'My herons');
    await conversations.switchBranch('My herons');
    await ask(api, 'how many?');
    anew();
    assert.deepEqual(await outline(await openChat()), [
      'Main line [git-branch]',
      '  Explorations [telescope]',
      '    My herons [circle-filled]',
      '    Cranes [telescope]',
    ]);
    const events = await api.parts.store.listEvents(herons.chatId, { kind: 'branch-created' });
    assert.deepEqual(
      events.map((event) => eventText(event, '', (name) => name).text),
      ['main-v2', 'main-v3'].map((name) => `The agent had a task explored: ${name}`),
    );
  });
});
