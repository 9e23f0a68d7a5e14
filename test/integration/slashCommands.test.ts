import assert from 'node:assert/strict';
import type { Offshoot } from '../../src/extension/offshoot.ts';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { ask, messageText, offshoot, sayOnPage, useModelServer } from './support.ts';

describe('commands typed after a slash', () => {
  let api: Offshoot;
  useModelServer((request) => {
    const question = lastQuestion(request);
    return answer(question.startsWith('Summarize this part') ? 'A gist.' : `You said ${question}`);
  });

  before(async () => {
    api = await offshoot();
  });
  beforeEach(() => api.parts.current.startNew());

  it('make a checkpoint of the name behind them', async () => {
    await ask(api, 'one');
    await sayOnPage(api, { type: 'runSlashCommand', command: 'checkpoint', argument: 'a' });
    const { store, current } = api.parts;
    assert.deepEqual(
      (await store.listCheckpoints(await current.chatId())).map(({ name }) => name),
      ['a'],
    );
  });

  it('compact at once, without asking what to keep', async () => {
    await ask(api, 'one');
    await ask(api, `at length: ${'word '.repeat(300)}`);
    await ask(api, 'two');
    await sayOnPage(api, { type: 'runSlashCommand', command: 'compact' });
    assert.match((await messageText(api)).join('\n'), /A gist\./);
  });

  it('begin a new chat', async () => {
    await ask(api, 'one');
    const before = await api.parts.current.chatId();
    await sayOnPage(api, { type: 'runSlashCommand', command: 'new' });
    assert.notEqual(await api.parts.current.chatId(), before);
    assert.deepEqual(await messageText(api), []);
  });
});
