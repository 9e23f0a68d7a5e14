import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { ContextEngine } from '../../src/engine/contextEngine.ts';
import { user } from '../../src/engine/fragments/index.ts';
import { answer, lastQuestion, pause, refuse, say } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, messageText, setSetting, useModelServer, writableStore } from './support.ts';

describe('summaries', () => {
  let api: Offshoot;
  let isRefused = false;
  const server = useModelServer((request) => {
    const question = lastQuestion(request);
    if (question.startsWith('Summarize this part')) {
      if (isRefused) return refuse(401);
      return question.includes('slow gist') ? [say('It'), pause('gist')] : answer('The gist.');
    }
    return question === 'slow' ? [say('It'), pause('slow')] : answer(`You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    isRefused = false;
    await api.parts.current.startNew();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const branches = async (): Promise<string[]> => {
    const { store, current } = api.parts;
    return (await store.listBranches(await current.chatId())).map(({ name }) => name);
  };
  const idOf = async (index: number): Promise<string> =>
    (await api.parts.conversations.path()).at(index)?.id ?? assert.fail();

  /** Says something on a second branch and goes back to the first. @returns the second, as the tree hands it over */
  const onSecondBranch = async (): Promise<{ kind: 'branch'; chatId: string; name: string }> => {
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    await conversations.rewind(await idOf(-1));
    await ask(api, 'side');
    await conversations.switchBranch('main');
    return { kind: 'branch', chatId: await current.chatId(), name: 'main-v2' };
  };

  it('stand in place of what came before; the next answer is given what is left, once', async () => {
    await ask(api, 'one');
    await ask(api, 'two');
    await vscode.commands.executeCommand('offshoot.summarizeUpTo', { messageId: await idOf(1) });
    const [summary, ...rest] = await messageText(api);
    assert.match(summary ?? '', /The gist\./);
    assert.deepEqual(rest, ['two', 'You said two']);
    await ask(api, 'three');
    const sent = JSON.stringify(server().requests.at(-1)?.body.messages);
    assert.equal(sent.split('The gist.').length, 2);
    assert.ok(!sent.includes('You said one'));
    assert.deepEqual(await branches(), ['main', 'main-v2']);
  });

  it('stand in place of what came after', async () => {
    await ask(api, 'one');
    await ask(api, 'two');
    await vscode.commands.executeCommand('offshoot.summarizeFrom', { messageId: await idOf(2) });
    const texts = await messageText(api);
    assert.deepEqual(texts.slice(0, 2), ['one', 'You said one']);
    assert.equal(texts.length, 3);
  });

  it('leave everything as it was when they fail, are stopped, or an answer is on its way', async () => {
    const { conversations } = api.parts;
    const summaries = await conversations.summaries();
    await ask(api, 'slow gist');
    const before = await messageText(api);
    const messageId = await idOf(-1);
    const { signal } = new AbortController();
    isRefused = true;
    await assert.rejects(summaries.replace(messageId, 'up-to-here', { signal }), /nothing was changed/);
    isRefused = false;
    const stop = new AbortController();
    const stopped = summaries.replace(messageId, 'up-to-here', { signal: stop.signal });
    await server().pauseReached('gist');
    stop.abort();
    assert.equal(await stopped, undefined);
    const run = await conversations.ask('slow');
    await assert.rejects(summaries.replace(messageId, 'up-to-here', { signal }), { code: 'branch-busy' });
    await conversations.stop();
    await run.done;
    assert.deepEqual((await messageText(api)).slice(0, before.length), before);
    assert.deepEqual(await branches(), ['main']);
  });

  it('of another branch are shown before they are taken, and taken as they stand in the editor', async () => {
    const { conversations } = api.parts;
    const bringing = vscode.commands.executeCommand('offshoot.bringBack', await onSecondBranch());
    const editor = await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const found = vscode.window.activeTextEditor;
      return found?.document.uri.scheme === 'offshoot-summary' && found;
    }, 'the summary in the editor');
    await bringing;
    assert.equal(editor.document.getText(), 'The gist.');
    assert.deepEqual(await branches(), ['main', 'main-v2'], 'nothing is taken yet');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Mine: '));
    await vscode.commands.executeCommand('offshoot.takeSummary');
    assert.deepEqual(await branches(), ['main', 'main-v2'], 'it is added to the branch that was chosen');
    const texts = await messageText(api);
    assert.match(texts.at(-1) ?? '', /<summary of="main-v2">\nMine: The gist\./);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.scheme !== 'offshoot-summary',
      'the editor of the summary to close',
    );
    assert.deepEqual(texts.slice(0, -1), ['one', 'You said one']);
    assert.equal((await conversations.path()).length, 3);
  });

  it('are not needed to take one question and its answer along', async () => {
    const picking = vscode.commands.executeCommand('offshoot.cherryPick', await onSecondBranch());
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await branches()).length === 3;
    }, 'the copy');
    await picking;
    assert.deepEqual(await messageText(api), ['one', 'You said one', 'side', 'You said side']);
  });
});

describe('the warning before the context window is full', () => {
  let api: Offshoot;

  before(async () => {
    api = await offshoot();
    // It reads 10,000 tokens at once.
    await setSetting('model', 'vscode:offshoot-test/echo');
    // Else the next question would make room automatically.
    await setSetting('compaction.enabled', false);
  });
  after(async () => {
    await setSetting('model', undefined);
    await setSetting('compaction.enabled', undefined);
  });

  it('comes once for each threshold, and goes with what it warns of', async () => {
    const { current, store, warnings, context } = api.parts;
    await current.startNew();
    const chatId = await current.chatId();
    const engine = new ContextEngine({ store: writableStore(api), chatId, userId: api.parts.userId });
    const grow = async (tokens: number): Promise<void> => {
      engine.set(user(' word'.repeat(tokens)));
      await engine.save();
    };
    const warned = async (): Promise<string | undefined> => {
      const now = await context.read();
      return warnings.read(now.branch?.id ?? '')?.text;
    };
    await grow(100);
    const { tokens, window } = await context.read();
    assert.equal(window, 10_000);
    assert.equal(await warned(), undefined);
    await grow(8_100 - tokens);
    assert.match((await warned()) ?? '', /takes 81% of the context window of Echo/);
    await warnings.dismiss();
    assert.equal(await warned(), undefined);
    await grow(500);
    assert.equal(await warned(), undefined, 'still the same threshold');
    await grow(1_000);
    assert.match((await warned()) ?? '', /takes 96%/);
    await grow(1_000);
    assert.match((await warned()) ?? '', /Context window of Echo exceeded/);
    await setSetting('compaction.enabled', undefined);
    assert.match((await warned()) ?? '', /Context window of Echo exceeded/, 'what can be compacted at once');
    await engine.rewind((await store.getPath(chatId, engine.headMessageId ?? ''))[0]?.id ?? '');
    assert.equal(await warned(), undefined);
    await engine.close();
  });
});
