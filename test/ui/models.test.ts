import assert from 'node:assert/strict';
import { startProviderServer, type ProviderServer } from '../fixtures/providerServer.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { useWorkbench } from './support/useWorkbench.ts';

const KEY = 'sk-right-key-of-the-test';

describe('choosing a provider', () => {
  let server: ProviderServer;
  const settings: Record<string, unknown> = {};
  before('start the providers', async () => {
    server = await startProviderServer({ key: KEY });
    settings['offshoot.baseUrls'] = server.baseUrls;
  });
  after('stop the providers', () => server.close());
  const workbench = useWorkbench({ settings });

  it('asks for its key once, refuses a wrong one, and then lists its models with what they can do', async () => {
    const { quickInput } = workbench();
    await workbench().openOffshoot();
    await workbench().runCommand('Offshoot: Select Model');
    await quickInput.choose('Set up Anthropic…');
    await quickInput.shown('API key for Anthropic');
    await quickInput.answer('sk-wrong');
    await until(
      async () => (await quickInput.message()).includes('Anthropic refused this key'),
      'the refusal',
    );
    await quickInput.answer(KEY);
    await quickInput.shown('Select Model');
    await quickInput.row('Claude Opus 5.5').waitFor();
    const row = (await quickInput.rows()).find(({ label }) => label === 'Claude Opus 5.5');
    assert.equal(
      row?.detail,
      'Anthropic · 1,000,000 tokens · tools · images · reasoning · $4 in ($0.20 cached), $20 out per million',
    );
    await quickInput.choose('Claude Opus 5.5');
  });

  it('has it answer, with its reasoning folded and what it cost', async () => {
    const chat = new ChatPage(workbench());
    await chat.frame.locator('.model-name').getByText('Claude Opus 5.5').waitFor();
    await chat.ask('hello');
    await chat.frame.locator('.answer, .message.assistant').getByText('Good day').waitFor();
    const answer = chat.answers.last();
    assert.equal(await answer.locator('details.reasoning').getAttribute('open'), null);
    assert.equal(await answer.locator('.usage').innerText(), '$0.0080');
    assert.match(
      (await answer.locator('.usage').getAttribute('title')) ?? '',
      /1,000 tokens in, 200 out, \$0\.008000 by list price/,
    );
    assert.equal(await chat.frame.locator('.header .usage').innerText(), '$0.0080');
  });

  it('says that it waits when the server is busy, and Stop ends the wait', async () => {
    const chat = new ChatPage(workbench());
    server.refusals.push({ status: 429, headers: { 'retry-after': '50' } });
    await chat.send('busy?');
    await chat.frame.locator('.status.streaming', { hasText: 'Retrying in 50 s (1/4)…' }).waitFor();
    await chat.stopButton.click();
    await chat.frame.locator('.status.interrupted').waitFor();
  });

  it('forgets the key when it is removed', async () => {
    const { quickInput } = workbench();
    await workbench().runCommand('Offshoot: Remove API Key…');
    await quickInput.choose('Anthropic');
    await workbench().runCommand('Offshoot: Select Model');
    await quickInput.row('Set up Anthropic…').waitFor();
    await quickInput.dismiss();
  });
});
