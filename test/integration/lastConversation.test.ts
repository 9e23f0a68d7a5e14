import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { ask, offshoot, useModelServer } from './support.ts';

describe('the last conversation of the chat, for the next start', () => {
  let api: Offshoot;
  useModelServer((request) => answer(`You said ${lastQuestion(request)}`));

  before(async () => {
    api = await offshoot();
  });
  beforeEach(async () => {
    await api.parts.current.startNew();
    await vscode.commands.executeCommand('offshoot.chat.focus');
  });

  const kept = async (): Promise<string> => {
    const { given } = api.parts.project;
    assert.ok(given, 'a folder is open');
    const file = vscode.Uri.joinPath(given, 'last-conversation.jsonl');
    return readFile(file.fsPath, 'utf8').catch(() => '');
  };

  it('is kept as it was shown, without the notices of this window', async () => {
    await ask(api, 'what is kept?');
    await soon.match(kept, /"text":"You said what is kept\?"/u);
    assert.match(await kept(), /"banners":\[\]/u);
  });

  it('is the end of a long one', async () => {
    for (let index = 0; index < 8; index++) await ask(api, `question ${index}`);
    await soon.match(kept, /You said question 7/u);
    assert.doesNotMatch(await kept(), /You said question 1/u);
  });

  it('is gone once it changes where nobody looks', async () => {
    await ask(api, 'a secret');
    await soon.match(kept, /a secret/u);
    await vscode.commands.executeCommand('workbench.view.explorer');
    await until(() => Promise.resolve(!api.chat.isVisible || undefined), 'the chat to be hidden');
    await vscode.commands.executeCommand('offshoot.deleteChat', { chatId: await api.parts.current.chatId() });
    await soon.equal(kept, '');
  });
});
