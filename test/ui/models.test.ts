import assert from 'node:assert/strict';
import { startProviderServer, type ProviderServer } from '../fixtures/providerServer.ts';
import { events, startRawServer, type RawReply, type RawServer } from '../fixtures/rawServer.ts';
import { until } from '../fixtures/until.ts';
import { ChatPage } from './support/chatPage.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import { soon } from '../fixtures/soon.ts';

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
    await workbench().runCommand('offshoot.selectModel');
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
    await soon.equal(() => answer.locator('.usage').innerText(), '$0.0080');
    assert.match(
      (await answer.locator('.usage').getAttribute('title')) ?? '',
      /1,000 input tokens, 200 output tokens, \$0\.008000 estimated/,
    );
    await until(async () => {
      const ring = (await chat.frame.locator('.usage-ring').getAttribute('aria-label')) ?? '';
      return (
        /^Context: [\d,]+ of 1,000,000 tokens \(/.test(ring) && ring.includes('Cost of this path: $0.0080')
      );
    }, 'the ring to say what the context takes, and the cost');
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
    await workbench().runCommand('offshoot.removeApiKey');
    await quickInput.choose('Anthropic');
    await workbench().runCommand('offshoot.selectModel');
    await quickInput.row('Set up Anthropic…').waitFor();
    await quickInput.dismiss();
  });
});

describe('adding a model server', () => {
  const json = (status: number, body: object): RawReply => ({
    status,
    headers: { 'content-type': 'application/json' },
    pieces: [JSON.stringify(body)],
  });
  let server: RawServer;
  before('start the model server', async () => {
    server = await startRawServer(({ path, headers }) => {
      if (!/^(?:\/api)?\/v1\//.test(path)) return json(404, { error: 'Unexpected endpoint or method.' });
      if (headers.authorization !== `Bearer ${KEY}`) return json(401, { error: 'Unauthorized' });
      if (path.endsWith('/v1/models')) return json(200, { data: [{ id: 'small-one' }, { id: 'big-one' }] });
      return events(
        { id: '1', choices: [{ index: 0, delta: { content: 'Good day' }, finish_reason: 'stop' }] },
        '[DONE]',
      );
    });
  });
  after('stop the model server', () => server.close());
  const workbench = useWorkbench();
  const answers = (): number => server.requests.filter(({ path }) => path.endsWith('/completions')).length;

  it('asks for its kind, its address and the key it wants, and lists its models', async () => {
    const { quickInput } = workbench();
    await workbench().openOffshoot();
    await workbench().runCommand('offshoot.addModelServer');
    await quickInput.shown('Select a model server');
    await quickInput.choose('LM Studio');
    await quickInput.shown('Address of the server');
    await soon.equal(() => quickInput.value(), 'http://localhost:1234/v1');
    await quickInput.answer(server.origin);
    await quickInput.shown('API key for LM Studio');
    await quickInput.answer(KEY);
    await quickInput.shown('Select a model');
    assert.deepEqual(
      (await quickInput.rows()).map(({ label }) => label),
      ['small-one', 'big-one'],
    );
    await quickInput.choose('big-one');
  });

  it('has the model that was selected answer', async () => {
    const chat = new ChatPage(workbench());
    await chat.frame.locator('.model-name').getByText('big-one').waitFor();
    await chat.ask('hello');
    await chat.frame.locator('.message.assistant').getByText('Good day').waitFor();
    assert.equal(answers(), 1);
  });

  it('asks for no key again where another address of the same server is given', async () => {
    const { quickInput } = workbench();
    await workbench().runCommand('offshoot.addModelServer');
    await quickInput.choose('LM Studio');
    await quickInput.shown('Address of the server');
    await quickInput.answer(`${server.origin}/api/v1`);
    await quickInput.shown('Select a model');
    await quickInput.choose('small-one');
    const chat = new ChatPage(workbench());
    await chat.frame.locator('.model-name').getByText('small-one').waitFor();
    await chat.ask('again');
    const { path, headers } = server.requests.at(-1) ?? assert.fail();
    assert.deepEqual([path, headers.authorization], ['/api/v1/chat/completions', `Bearer ${KEY}`]);
  });
});
