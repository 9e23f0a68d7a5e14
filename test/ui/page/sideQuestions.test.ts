import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the card of a side question', () => {
  const use = useChat();
  const side = { branch: 'main-v2', branchId: 'side', question: 'what time is it?' };
  const withSide = (rest: object) => conversation(turns(2), { sideQuestions: [{ ...side, ...rest }] });
  const open = async (rest: object): Promise<void> => {
    await use().show(withSide(rest));
    await use().openPanel('sideQuestions');
  };

  it('takes follow-ups, and shows them with their answers', async () => {
    const chat = use();
    const card = chat.page.locator('.aside');
    const followUp = chat.page.getByRole('textbox', { name: 'Follow-up' });
    await open({ answer: answer('s', 'Late.') });
    await followUp.fill('and there?');
    await followUp.press('Enter');
    assert.deepEqual(await chat.expect('askSideQuestion'), {
      type: 'askSideQuestion',
      text: 'and there?',
      branch: 'main-v2',
    });
    assert.equal(await followUp.inputValue(), '');
    const earlier = [answer('s', 'Late.'), question('f', 'and there?')];
    await chat.show(withSide({ earlier, answer: streaming('t', 'Later') }));
    await chat.delta('t', ' still', 5);
    await card.getByText('Later still').waitFor();
    const shown = await card.getByRole('region', { name: 'Answer' }).innerText();
    assert.match(shown, /Late\.\s+and there\?\s+Later still/);
    // The next one waits for the answer that is on its way.
    await followUp.fill('and here?');
    await followUp.press('Enter');
    assert.ok(await chat.button('Send Follow-up').isDisabled());
    assert.equal(await followUp.inputValue(), 'and here?');
    await chat.show(withSide({ earlier, answer: answer('t', 'Later still') }));
    await chat.button('Send Follow-up').click();
    assert.equal((await chat.sent()).filter(({ type }) => type === 'askSideQuestion').length, 2);
    await chat.screenshot('side question follow-ups');
  });

  it('shows a follow-up and its answer as they come, until the user scrolls', async () => {
    const chat = use();
    const card = chat.page.locator('.aside-answer');
    const earlier = [answer('s', 'Late.\n\n'.repeat(40)), question('f', 'and there?')];
    const place = (): Promise<number> =>
      chat.page.evaluate<number>(
        "document.querySelector('.aside-follow-up').getBoundingClientRect().top - document.querySelector('.aside-answer').getBoundingClientRect().top",
      );
    await open({ answer: earlier[0] });
    await chat.show(withSide({ earlier, answer: streaming('t', 'Later') }));
    await card.getByText('and there?').waitFor();
    assert.ok((await place()) < 200, 'it is out of view');
    await chat.delta('t', '\n\nstill'.repeat(40), 5);
    await card.getByText('still').last().waitFor();
    await until(async () => Math.abs(await place()) < 2, 'the follow-up at the top of its card');
    await card.evaluate((element: { scrollTop: number }) => (element.scrollTop = 0));
    await chat.delta('t', '\n\nmore', 5 + '\n\nstill'.length * 40);
    await card.getByText('more').waitFor();
    assert.ok((await place()) > 200, 'the user was scrolled away');
  });

  it('can be merged, gone on with, discarded and closed, each by a button of its own', async () => {
    const chat = use();
    await open({ answer: answer('s', 'Late.') });
    for (const name of [
      'Merge Summary…',
      'Continue in Chat',
      'Discard',
      'Close; the branch stays in the tree',
    ]) {
      await chat.button(name).click();
    }
    assert.deepEqual((await chat.sent()).slice(-4), [
      { type: 'mergeSideQuestion', branch: 'main-v2' },
      { type: 'switchBranch', branch: 'main-v2' },
      { type: 'discardSideQuestion', branch: 'main-v2' },
      { type: 'dismissSideQuestion', branch: 'main-v2' },
    ]);
  });

  it('goes on on its own branch where its answer broke off, failed or never came', async () => {
    const chat = use();
    const region = chat.page.locator('.aside').getByRole('region', { name: 'Answer' });
    const offered = (): Promise<string[]> => region.getByRole('button').allInnerTexts();
    const broken = { status: 'failed', error: 'No.', canSummarize: true } as const;
    await open({ answer: answer('s', 'Half', { ...broken, canContinue: true }) });
    assert.deepEqual(await offered(), ['Continue']);
    await region.getByRole('button').click();
    assert.deepEqual(await chat.expect('continueAnswer'), { type: 'continueAnswer', branch: 'main-v2' });
    await chat.show(withSide({ answer: answer('s', '', { ...broken, parts: [], isUnsaved: true }) }));
    assert.deepEqual(await offered(), ['Try Again']);
    await region.getByRole('button').click();
    assert.deepEqual(await chat.expect('retryAnswer'), { type: 'retryAnswer', branch: 'main-v2' });
    await chat.show(withSide({ canAnswer: true }));
    assert.deepEqual(await offered(), ['Try Again']);
    await region.getByRole('button').click();
    assert.equal((await chat.sent()).filter(({ type }) => type === 'retryAnswer').length, 2);
  });

  it('is made higher by its corner, and stays so while its answer grows', async () => {
    const chat = use();
    const body = chat.page.locator('.aside-answer');
    await chat.show(withSide({ answer: streaming('s', 'word\n\n'.repeat(100)) }));
    const { height: before = 0, x = 0, y = 0, width = 0 } = (await body.boundingBox()) ?? {};
    const { mouse } = chat.page;
    await mouse.move(x + width - 4, y + before - 4);
    await mouse.down();
    await mouse.move(x + width - 4, y + before + 56, { steps: 5 });
    await mouse.up();
    const { height: after = 0 } = (await body.boundingBox()) ?? {};
    assert.ok(after > before + 30, `${before} → ${after}`);
    await chat.delta('s', 'more', 600);
    assert.equal((await body.boundingBox())?.height, after);
  });
});
