import assert from 'node:assert/strict';
import { answer, askingCall, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('an answer that arrives on the chat page', () => {
  const use = useChat();

  it('shows an answer as it streams, in whatever order its pieces come', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a') }));
    await chat.delta('a', 'Because **it', 0);
    await chat.delta('a', 'it is** so', 'Because **'.length);
    await chat.delta('someone else', 'x', 0);
    await chat.messages.last().getByText('it is', { exact: true }).waitFor();
    assert.equal(await chat.messages.last().locator('.markdown').innerText(), 'Because it is so');
  });

  it('asks for everything again, once, when a piece is missing', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'abc') }));
    for (let offset = 10; offset < 20; offset++) {
      await chat.delta('a', 'x', offset);
      await chat.frame();
    }
    const ready = (await chat.sent()).filter(({ type }) => type === 'ready');
    assert.deepEqual(ready, [{ type: 'ready' }, { type: 'ready', again: true }]);
    await chat.show(conversation([question('q', 'why?')], { running: streaming('a', 'abcdefghijx') }));
    assert.equal(await chat.messages.last().locator('.markdown').innerText(), 'abcdefghijx');
  });

  it('moves nothing while it asks the user', async () => {
    const chat = use();
    const running = streaming('a', 'I edit it.');
    const dots = chat.messages.last().locator('.dots');
    await chat.show(conversation([question('q', 'why?')], { running }));
    await dots.waitFor();
    const asking = { ...running, parts: [...running.parts, askingCall('ask')] };
    await chat.show(conversation([question('q', 'why?')], { running: asking }));
    await dots.waitFor({ state: 'detached' });
  });

  it('says what became of an answer below what had come, and tries again', async () => {
    const chat = use();
    const failed = answer('a', 'Half', { status: 'failed', error: 'The server closed the connection.' });
    await chat.show(conversation([question('q', 'why?'), failed]));
    const status = chat.messages.last().locator('.status.failed');
    assert.match(await status.innerText(), /The server closed the connection\./);
    await status.getByRole('button', { name: 'Try Again' }).click();
    assert.deepEqual(await chat.expectCommand('regenerate'), {
      type: 'runCommandHere',
      command: 'regenerate',
      messageId: 'a',
    });
  });

  it('says how long a model has been silent, and nothing once it speaks', async () => {
    const chat = use();
    const begun = Date.now() - 83_000;
    await chat.show(
      conversation([question('q', 'why?')], { running: { ...streaming('a'), createdAt: begun } }),
    );
    await chat.messages
      .last()
      .getByText(/Waiting for the model… 1:2\d/)
      .waitFor();
    await chat.show(
      conversation([question('q', 'why?')], { running: { ...streaming('a', 'So'), createdAt: begun } }),
    );
    await chat.messages
      .last()
      .getByText(/Waiting for the model/)
      .waitFor({ state: 'detached' });
  });

  it('says why it waits for the user, and goes on', async () => {
    const chat = use();
    const notice = { text: 'It took 50 steps and waits for you.', canContinue: true };
    await chat.show(conversation([question('q', 'why?'), answer('a', 'So far.', { notice })]));
    const status = chat.messages.last().locator('.status.notice');
    assert.match(await status.innerText(), /It took 50 steps and waits for you\./);
    await status.getByRole('button', { name: 'Continue', exact: true }).click();
    assert.deepEqual(await chat.expect('continueAnswer'), { type: 'continueAnswer', branch: 'main' });
  });

  it('goes on once beyond the budget, or after its cap is raised', async () => {
    const chat = use();
    const stopped = { status: 'failed', error: 'Stopped by your budget.', isAtBudget: true } as const;
    await chat.show(
      conversation([question('q', 'why?'), answer('a', 'Half', { ...stopped, canContinue: true })]),
    );
    const status = chat.messages.last().locator('.status.failed');
    const button = (name: string) => status.getByRole('button', { name, exact: true });
    await button('Continue Once').click();
    const type = 'continueAnswer' as const;
    assert.deepEqual(await chat.expect(type), { type, branch: 'main', onBudget: 'once' });
    assert.equal(await button('Continue').count(), 0);
    // Before the first word there is nothing to continue.
    await chat.show(conversation([question('q', 'why?'), answer('b', '', { ...stopped, isUnsaved: true })]));
    await button('Raise Cap…').click();
    assert.deepEqual(await chat.expect('retryAnswer'), {
      type: 'retryAnswer',
      branch: 'main',
      onBudget: 'raise',
    });
  });

  it('offers what can be done about a failure: a key, a summary, going on', async () => {
    const chat = use();
    const broken = answer('a', 'Half', {
      status: 'failed',
      error: 'No.',
      wantsKey: true,
      canSummarize: true,
      canContinue: true,
    });
    await chat.show(conversation([question('q', 'why?'), broken]));
    const status = chat.messages.last().locator('.status.failed');
    await status.getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(await chat.expect('setApiKey'), { type: 'setApiKey', messageId: 'a' });
    await status.getByRole('button', { name: 'Compact and Continue' }).click();
    assert.deepEqual(await chat.expect('compactAndContinue'), { type: 'compactAndContinue' });
    await status.getByRole('button', { name: 'Continue', exact: true }).click();
    assert.deepEqual(await chat.expect('continueAnswer'), { type: 'continueAnswer', branch: 'main' });
    await chat.show(
      conversation([question('q', 'why?'), answer('a', 'Half', { status: 'failed', error: 'No.' })]),
    );
    assert.deepEqual(await status.getByRole('button').allInnerTexts(), ['Try Again']);
  });
});
