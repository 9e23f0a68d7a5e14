import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { chatLinkTo, readChatLink, openChatLink } from '../../src/extension/branches/chatLink.ts';
import { until } from '../fixtures/until.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { ask, messageText, offshoot, setSetting, useModelServer } from './support.ts';

const TRUSTED = 'extensions.confirmedUriHandlerExtensionIds';

describe('a link to a chat', () => {
  let api: Offshoot;
  useModelServer((request) => answer(`You said ${lastQuestion(request)}`));
  before(async () => {
    api = await offshoot();
    await vscode.workspace
      .getConfiguration()
      .update(TRUSTED, ['offshoot.offshoot'], vscode.ConfigurationTarget.Global);
  });
  after(() =>
    vscode.workspace.getConfiguration().update(TRUSTED, undefined, vscode.ConfigurationTarget.Global),
  );
  beforeEach(() => api.parts.current.startNew());

  const revealed: string[] = [];
  const chat = {
    focus: () => Promise.resolve(),
    reveal: (messageId: string) => Promise.resolve(void revealed.push(messageId)),
  };
  const open = (link: string) => openChatLink(api.parts, chat, link);
  const copied = async (argument: unknown): Promise<string> => {
    await vscode.commands.executeCommand('offshoot.copyLink', argument);
    return vscode.env.clipboard.readText();
  };
  const activeBranch = async (chatId: string) => (await api.parts.store.getActiveBranch(chatId))?.name;

  /** Two branches, of which the second is active. */
  const makeTree = async () => {
    const { conversations, current } = api.parts;
    await ask(api, 'one');
    await ask(api, 'two');
    const path = await conversations.path();
    const [, first, , second] = path;
    assert.ok(first && second);
    await vscode.commands.executeCommand('offshoot.rewindToHere', { messageId: first.id });
    await ask(api, 'three');
    return { chatId: await current.chatId(), onMain: second.id };
  };

  it('is copied from a message or a branch, and leads there from outside, whichever chat is open', async () => {
    const { chatId, onMain } = await makeTree();
    const link = await copied({ messageId: onMain });
    const workspace = vscode.workspace.name;
    assert.deepEqual(readChatLink(link), { chatId, messageId: onMain, workspace });
    assert.ok(link.startsWith(`${vscode.env.uriScheme}://offshoot.offshoot/chat/${chatId}/message/`), link);
    const branch = await copied({ kind: 'branch', chatId, name: 'main-v2' });
    assert.deepEqual(readChatLink(branch), { chatId, branch: 'main-v2', workspace });
    await api.parts.current.startNew();

    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(link));
    await until(async () => (await api.parts.current.chatId()) === chatId, 'the chat of the link');
    await until(async () => (await activeBranch(chatId)) === 'main', 'the branch of the message');
    assert.deepEqual(await messageText(api), ['one', 'You said one', 'two', 'You said two']);

    await open(branch);
    assert.equal(await activeBranch(chatId), 'main-v2');
    assert.equal((await api.parts.store.listBranches(chatId)).length, 2, 'no branch was made');
  });

  it('moves no file, also where files follow the conversation unasked', async () => {
    await setSetting('restoreFiles', 'always');
    try {
      const { chatId, onMain } = await makeTree();
      const moved: string[] = [];
      const { moves } = api.parts;
      const go = moves.go.bind(moves);
      moves.go = (request) => {
        moved.push(request.title);
        return go(request);
      };
      try {
        await open(chatLinkTo({ chatId, messageId: onMain }));
      } finally {
        moves.go = go;
      }
      assert.deepEqual(moved, []);
      assert.equal(revealed.at(-1), onMain);
      assert.equal(await activeBranch(chatId), 'main');
    } finally {
      await setSetting('restoreFiles', undefined);
    }
  });

  it('that leads nowhere says so, and leaves the open chat alone', async () => {
    const { chatId } = await makeTree();
    for (const [link, code] of [
      [chatLinkTo({ chatId, messageId: 'nowhere' }), 'message-not-found'],
      [chatLinkTo({ chatId, branch: 'nowhere' }), 'branch-not-found'],
      [chatLinkTo({ chatId: 'nowhere' }), 'chat-not-found'],
      [chatLinkTo({ chatId: 'nowhere', workspace: vscode.workspace.name }), 'chat-not-found'],
      [chatLinkTo({ chatId: 'nowhere', messageId: 'x', workspace: 'another' }), 'other-workspace'],
      ['vscode://offshoot.offshoot/chat/', 'link-unreadable'],
      ['', 'link-unreadable'],
    ] as const) {
      await assert.rejects(open(link), { code }, link);
    }
    await api.parts.conversations.deleteChat(chatId);
    await assert.rejects(open(chatLinkTo({ chatId })), { code: 'chat-in-trash' });
  });

  it('keeps every name as it is', () => {
    for (const name of ['a', 'a/b', '%2F', '%252F', 'ä ö', 'imported:u3', 'x?y#z', '100% sure', '..', '//']) {
      const link = { chatId: name, messageId: name, workspace: `${name}&b=c` };
      assert.deepEqual(readChatLink(chatLinkTo(link)), link, name);
      assert.deepEqual(
        readChatLink(vscode.Uri.parse(chatLinkTo(link)).toString()),
        link,
        `${name}, by VS Code`,
      );
    }
  });

  for (const link of [
    'vscode://offshoot.offshoot/chat/a/command/offshoot.deleteChat',
    'vscode://offshoot.offshoot/chat/a/message',
    'vscode://offshoot.offshoot/chat/a/message/b/c',
    'vscode://offshoot.offshoot/chat/a/message/b#c',
    'vscode://offshoot.offshoot/chat//message/b',
    `vscode://offshoot.offshoot/chat/${'a'.repeat(1_001)}`,
    'vscode://offshoot.offshoot/command/x',
    'vscode://other.extension/chat/a/message/b',
    'javascript://offshoot.offshoot/chat/a',
    'command:offshoot.openLink',
    'https://offshoot.offshoot.example/chat/a',
  ]) {
    it(`is not what “${link.slice(0, 80)}” is`, () => assert.equal(readChatLink(link), undefined));
  }

  it('copied in another edition of VS Code is one as well', () => {
    for (const scheme of ['vscode-insiders', 'vscodium', 'code-oss', 'cursor'])
      assert.deepEqual(readChatLink(`${scheme}://offshoot.offshoot/chat/a/message/b`), {
        chatId: 'a',
        messageId: 'b',
      });
  });
});
