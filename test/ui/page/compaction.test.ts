import assert from 'node:assert/strict';
import type { MessageView } from '../../../src/protocol/views.ts';
import { answer, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('a compacted conversation in the chat page', () => {
  const use = useChat();
  const summary: MessageView = {
    ...answer('s1', 'the gist'),
    role: 'note',
    report: { goal: 'main', kind: 'compacted', count: 3, tokens: { before: 34_200, after: 1_180 } },
  };
  const compaction = { messageId: 's1', until: 'm3', kept: ['m2'], count: 3 };
  const shown = conversation([...turns(6), summary], { compaction });
  const ids = (): Promise<(string | undefined)[]> =>
    use()
      .page.locator('.message')
      .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['messageId']));

  it('folds what is covered, but not the question that is still sent, and opens it', async () => {
    const chat = use();
    await chat.show(shown);
    await chat.page.locator('.tool-title', { hasText: 'Compacted 3 messages' }).waitFor();
    await chat.page.getByText('34.2K → 1.2K tokens').waitFor();
    assert.deepEqual(await ids(), ['m2', 'm4', 'm5', 's1']);
    const fold = chat.page.locator('.compacted-fold button');
    assert.equal(await fold.innerText(), '3 earlier messages, compacted');
    await fold.click();
    assert.deepEqual(await ids(), ['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 's1']);
    assert.equal(await fold.getAttribute('aria-expanded'), 'true');
    // The same stands in the line of the summary.
    await chat.page.getByRole('button', { name: 'Hide Messages' }).click();
    assert.deepEqual(await ids(), ['m2', 'm4', 'm5', 's1']);
  });

  it('shows which messages are always sent, and tells its menu', async () => {
    const chat = use();
    const [first, ...rest] = turns(1);
    await chat.show(conversation([...(first ? [{ ...first, isKept: true as const }] : []), ...rest]));
    const messages = chat.page.locator('.message');
    await messages.first().getByText('Always sent to the model').waitFor();
    const contexts = await messages.evaluateAll((all) =>
      all.map((each) => (each as HTMLElement).dataset['vscodeContext'] ?? ''),
    );
    assert.deepEqual(
      contexts.map((context) => /"isKept":(\w+)/u.exec(context)?.[1]),
      ['true', ...rest.map(() => 'false')],
    );
  });

  it('asks for nothing before what is folded, until it is opened', async () => {
    const chat = use();
    await chat.show({ ...shown, messageCount: 60 });
    await chat.page.locator('.compacted-fold').waitFor();
    assert.equal(await chat.page.getByText('Show earlier messages').count(), 0);
    await chat.page.locator('.compacted-fold button').click();
    await chat.page.getByText('Show earlier messages').waitFor();
  });

  it('opens for a message that is looked for', async () => {
    const chat = use();
    await chat.show(shown);
    await chat.page.locator('.compacted-fold').waitFor();
    await chat.tell({ type: 'messageRevealed', messageId: 'm1' });
    await chat.page.locator('[data-message-id="m1"]').waitFor();
  });

  it('is folded again when it is compacted further', async () => {
    const chat = use();
    await chat.show(shown);
    await chat.page.locator('.compacted-fold button').click();
    const further = {
      ...summary,
      id: 's2',
      report: { ...summary.report, goal: 'main', kind: 'compacted', count: 5 },
    } as const;
    await chat.show(
      conversation([...turns(6), summary, further], {
        compaction: { messageId: 's2', until: 'm5', kept: [], count: 5 },
      }),
    );
    await chat.page.getByText('5 earlier messages, compacted').waitFor();
    assert.deepEqual(await ids(), ['s1', 's2']);
  });

  it('is taken back with Undo, but not while an answer is on its way, and continued where it was cut off', async () => {
    const chat = use();
    await chat.show({ ...shown, running: streaming('a9') });
    const undo = chat.page.getByRole('button', { name: 'Undo', exact: true });
    assert.ok(await undo.isDisabled());
    await chat.show(conversation([...turns(6), { ...summary, canContinue: true }], { compaction }));
    // It is offered once, though the path ends with a step.
    await chat.page.getByRole('button', { name: 'Continue', exact: true }).first().waitFor();
    assert.equal(await chat.page.getByRole('button', { name: 'Continue', exact: true }).count(), 1);
    await undo.click();
    assert.deepEqual((await chat.sent()).at(-1), {
      type: 'runCommandHere',
      command: 'undoCompaction',
      messageId: 's1',
    });
    await chat.page.getByRole('button', { name: 'Continue' }).click();
    assert.deepEqual((await chat.sent()).at(-1), { type: 'continueAnswer', branch: 'main' });
  });

  it('has its line in the card of a side question, not as if the user had said it', async () => {
    const chat = use();
    const sideQuestions = [
      { branch: 'aside', question: 'By the way?', earlier: [summary], answer: answer('b1', 'That is why.') },
    ];
    await chat.show(conversation(turns(2), { sideQuestions }));
    await chat.openPanel('sideQuestions');
    const card = chat.page.locator('.aside');
    await card.locator('.report.compacted').waitFor();
    assert.equal(await card.locator('.aside-follow-up').count(), 0);
  });

  it('says that it is being compacted', async () => {
    const chat = use();
    const waiting = 'Compacting the conversation…';
    await chat.show(conversation([question('q', 'hello')], { running: { ...streaming('a'), waiting } }));
    await chat.page.getByRole('status').filter({ hasText: waiting }).waitFor();
  });
});
