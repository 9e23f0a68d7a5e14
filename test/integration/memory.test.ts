import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { BRANCH_MEMORY, REMEMBER } from '../../src/agent/memory/rememberTool.ts';
import { MEMORY_FILE } from '../../src/agent/memory/memoryPlace.ts';
import type { ContextNode } from '../../src/extension/context/contextNodes.ts';
import { ContextTree } from '../../src/extension/context/contextView.ts';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { toolView } from '../../src/extension/pages/toolView.ts';
import { answer, toolResultsOf, useTools } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { playDialogs } from './dialogs.ts';
import { FolderFiles } from './folderFiles.ts';
import { playInputs } from './playInputs.ts';
import { ask, offshoot, sayOnPage, useModelServer } from './support.ts';

describe('memory', () => {
  let api: Offshoot;
  let replies: ReturnType<typeof answer>[] = [];
  const server = useModelServer(() => replies.shift() ?? answer('done'));
  const files = new FolderFiles();

  /** The instructions that the model got last. */
  const system = (): string => JSON.stringify(server().requests.at(-1)?.body.messages[0]?.content);

  /** What the Context view says of memory. */
  const rows = async (): Promise<{ readonly node: ContextNode; readonly text: string }[]> => {
    const { context, log } = api.parts;
    const tree = new ContextTree(context, log);
    try {
      await context.read();
      const section = (await tree.getChildren()).find(
        (node) => node.kind === 'section' && node.section === 'memory',
      );
      const found: { node: ContextNode; text: string }[] = [];
      for (const node of section ? await tree.getChildren(section) : []) {
        const { label, description } = await tree.getTreeItem(node);
        assert.ok(typeof label === 'string' && typeof description === 'string');
        found.push({ node, text: `${label}: ${description}` });
      }
      return found;
    } finally {
      tree.dispose();
    }
  };
  const texts = async (): Promise<string[]> => (await rows()).map(({ text }) => text);
  const nodeOf = async (fact: string): Promise<ContextNode> =>
    (await rows()).find(({ text }) => text.startsWith(`${fact}:`))?.node ?? assert.fail(fact);

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    replies = [];
    await api.parts.current.startNew();
  });
  afterEach(async () => {
    await files.remove(MEMORY_FILE);
  });

  it('is in the prompt and the view; without any, both are as before', async () => {
    await ask(api, 'before');
    const before = system();
    assert.deepEqual(await texts(), []);
    await files.write(MEMORY_FILE, '# Memory\n\n- Build with make\n');
    await ask(api, 'with it');
    assert.match(system(), /Build with make/u);
    assert.deepEqual(await texts(), ['Build with make: Of the project']);
    await files.remove(MEMORY_FILE);
    await ask(api, 'after');
    assert.equal(system(), before);
  });

  it('is written only once the user has seen the very line on the card', async () => {
    const { approvals, conversations } = api.parts;
    replies = [useTools([REMEMBER, { fact: 'Build with make', scope: 'project' }])];
    const run = await conversations.ask('go');
    const asked = await until(() => approvals.list()[0], 'the question');
    const part = run.message().parts.find(({ type }) => type === `tool-${REMEMBER}`);
    assert.ok(part?.type === 'tool-remember');
    const { approval } = toolView(part, approvals);
    assert.equal(approval?.question, 'Remember this, in .offshoot/memory.md?');
    assert.equal(approval.fact, 'Build with make');
    assert.deepEqual(approval.choices, ['once', 'deny']);
    assert.equal(approval.hasChanges, true);
    assert.equal(await files.exists(MEMORY_FILE), false);
    approvals.answer(asked.id, 'once');
    await run.done;
    assert.equal(await files.text(MEMORY_FILE), '# Memory\n\n- Build with make\n');
    const [said] = toolResultsOf(server().requests.at(-1) ?? assert.fail());
    assert.equal(said?.result, 'Kept in .offshoot/memory.md: Build with make');
  });

  it('is written at once when the user says so, and forgotten from its row', async () => {
    await files.write(MEMORY_FILE, '\ufeff# Mine\r\n- old\r\n\r\nText');
    await ask(api, 'one');
    {
      using played = playInputs({ pick: 'For This Project' });
      await sayOnPage(api, { type: 'runSlashCommand', command: 'remember', argument: 'Use\ntabs' });
      assert.deepEqual(played.left, []);
    }
    assert.equal(await files.text(MEMORY_FILE), '\ufeff# Mine\r\n- old\r\n- Use tabs\r\n\r\nText');
    await vscode.commands.executeCommand('offshoot.forget', await nodeOf('Use tabs'));
    assert.equal(await files.text(MEMORY_FILE), '\ufeff# Mine\r\n- old\r\n\r\nText');
  });

  it('of a branch stays on it, and is offered to the branch that it is merged into', async () => {
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    const chatId = await current.chatId();
    const [question] = await conversations.path();
    assert.ok(question);
    await conversations.rewind((await conversations.path()).at(-1)?.id ?? assert.fail());
    await ask(api, 'side');
    {
      using _played = playInputs({ pick: 'On This Branch' });
      await vscode.commands.executeCommand('offshoot.remember', { typed: 'Try the new parser' });
    }
    assert.deepEqual(await texts(), ['Try the new parser: On this branch']);
    await ask(api, 'more');
    assert.match(system(), /Try the new parser/u);
    await conversations.switchBranch('main');
    assert.deepEqual(await texts(), []);
    await ask(api, 'on main');
    assert.doesNotMatch(system(), /Try the new parser/u);
    const sideQuestion = (
      await api.parts.store.getPath(
        chatId,
        (await api.parts.store.getBranch(chatId, 'main-v2'))?.headMessageId ?? '',
      )
    ).find(({ data }) => JSON.stringify(data).includes('side'));
    assert.ok(sideQuestion);
    {
      using _played = playInputs({ pick: 'side' });
      using dialogs = playDialogs('Remember on This Branch', 'showInformationMessage');
      await vscode.commands.executeCommand('offshoot.cherryPick', {
        kind: 'branch',
        chatId,
        name: 'main-v2',
      });
      assert.ok(dialogs.shown.some(({ text }) => text.includes('Try the new parser')));
    }
    assert.deepEqual(await texts(), ['Try the new parser: On this branch']);
    const { path } = await api.parts.context.read();
    assert.deepEqual(path.effects.state.get(BRANCH_MEMORY), ['Try the new parser']);
    await vscode.commands.executeCommand('offshoot.forget', await nodeOf('Try the new parser'));
    assert.deepEqual(await texts(), []);
  });
});
