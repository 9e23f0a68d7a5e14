import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { beginExploration } from '../../src/conversation/agentBranches.ts';
import { eventText } from '../../src/extension/branches/eventText.ts';
import {
  answer,
  finish,
  lastQuestion,
  pause,
  say,
  toolResultsOf,
  useTools,
} from '../fixtures/openaiServer.ts';
import { useShownTree } from './shownTree.ts';
import { ask, useModelServer, writableStore } from './support.ts';

describe('the tree of a chat with explored tasks', () => {
  const shown = useShownTree();
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question === 'birds') {
      const tasks = ['Herons', 'Cranes'].map((title) => ({ title, prompt: `look for ${title}` }));
      return toolResultsOf(request).length === 0
        ? useTools(['explore', { tasks }])
        : answer('Both are there.');
    }
    if (question.startsWith('look for ')) return [say('Seen'), pause(question), finish()];
    if (question === 'slowly') return [say('Well'), pause(question), finish()];
    return answer(`You said ${question}`);
  });

  it('gathers them below the branch of their answer, open while they run', async () => {
    const { api, openChat, outline, reopen } = shown();
    const { conversations } = api.parts;
    const run = await conversations.ask('birds');
    const look = ['look for Herons', 'look for Cranes'];
    for (const each of look) await server().pauseReached(each);
    const chat = await openChat();
    assert.deepEqual(await outline(chat), [
      'Explorations [loading~spin]',
      '  Herons [loading~spin]',
      '  Cranes [loading~spin]',
    ]);
    const [tasks] = await shown().tree.getChildren(chat);
    const [herons] = await shown().tree.getChildren(tasks);
    assert.ok(tasks && herons?.kind === 'branch');
    const { description, collapsibleState } = await shown().tree.getTreeItem(tasks);
    assert.deepEqual(
      [description, collapsibleState],
      ['2 of 2 running', vscode.TreeItemCollapsibleState.Expanded],
    );
    assert.match(String((await shown().tree.getTreeItem(herons)).description), /^exploring… 1 step · /);
    assert.equal(await shown().tree.getParent(herons), tasks);
    assert.equal(await shown().tree.getParent(tasks), chat);
    for (const each of look) server().release(each);
    await run.done;

    reopen();
    const ended = ['Explorations [telescope]', '  Herons [telescope]'];
    assert.deepEqual(await outline(await openChat()), [...ended, '  Cranes [telescope]']);
    const [group] = await shown().tree.getChildren(await openChat());
    assert.ok(group);
    const item = await shown().tree.getTreeItem(group);
    assert.deepEqual(
      [item.description, item.collapsibleState],
      ['2', vscode.TreeItemCollapsibleState.Collapsed],
    );

    assert.equal(await shown().tree.filter('heron'), 1);
    assert.deepEqual(await outline(await openChat()), ended);
    await shown().tree.filter('', ['mine']);
    assert.deepEqual(await outline(await openChat()), [], 'nobody asked for them');
    await shown().tree.filter('');
    await conversations.renameBranch(herons.chatId, herons.name, 'My herons');
    await conversations.switchBranch('My herons');
    await ask(api, 'how many?');
    reopen();
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

  it('has them open from the first, when none of them runs yet', async () => {
    const { api, openChat, tree } = shown();
    const { conversations, store } = api.parts;
    const run = await conversations.ask('slowly');
    await server().pauseReached('slowly');
    const { chatId, questionId: afterId } = run;
    const branchId = (await store.getBranch(chatId, run.branch))?.id ?? '';
    await beginExploration(
      writableStore(api),
      { chatId, branchId, afterId, title: 'Storks', prompt: 'look' },
      {},
    );
    const group = (await tree.getChildren(await openChat())).find(({ kind }) => kind === 'tasks');
    assert.ok(group);
    const { collapsibleState, description } = await tree.getTreeItem(group);
    server().release('slowly');
    await run.done;
    assert.deepEqual([collapsibleState, description], [vscode.TreeItemCollapsibleState.Expanded, '1']);
  });
});
