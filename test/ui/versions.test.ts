import assert from 'node:assert/strict';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { soon } from '../fixtures/soon.ts';

describe('versions of questions and answers', () => {
  let count = 0;
  const use = useChat((request) => {
    const question = lastQuestion(request);
    count += 1;
    if (question === 'at length') return answer(`Answer ${count}. ${'So it goes on. '.repeat(200)}`);
    return answer(`You said ${question}`);
  });

  it('come of editing a question in place, and one goes between them where one had been', async () => {
    const { chat, workbench } = use();
    await chat.ask('one');
    await chat.ask('two');
    await chat.messages.nth(2).hover();
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    const box = chat.frame.getByRole('textbox', { name: 'Edit the question' });
    await box.fill('deux');
    await box.press('Enter');
    await chat.onBranch('main-v2');
    await chat.shows(['one', 'You said one', 'deux', 'You said deux']);
    await chat.ask('trois');
    await workbench.screenshot('versions');
    await chat.frame.getByRole('button', { name: 'Version 1 of 2: two' }).click();
    await chat.onBranch('main');
    await chat.shows(['one', 'You said one', 'two', 'You said two']);
    // The last head used below the other one: what was said there since is there.
    await chat.frame.getByRole('button', { name: 'Version 2 of 2: deux' }).click();
    await chat.shows(['one', 'You said one', 'deux', 'You said deux', 'trois', 'You said trois']);
  });

  it('show where the branch comes from, and lead back', async () => {
    const { chat } = use();
    const crumbs = chat.frame.getByRole('navigation', { name: 'Where this branch comes from' });
    await until(
      async () => (await crumbs.getByRole('button').allInnerTexts()).join(' › ') === 'Main line › deux',
      'the branches',
    );
    await crumbs.getByRole('button', { name: 'Main line', exact: true }).click();
    await chat.onBranch('main');
    await crumbs.waitFor({ state: 'detached' });
  });

  it('come of regenerating an answer, and show how the one beside them begins', async () => {
    const { chat, workbench } = use();
    await chat.ask('at length');
    const last = chat.answers.last();
    for (const number of [2, 3]) {
      await last.hover();
      await last.getByRole('button', { name: 'Regenerate on a new branch' }).click();
      await last.getByRole('group', { name: `Version ${number} of ${number}` }).waitFor();
      await until(
        async () => (await chat.frame.locator('.status.streaming').count()) === 0,
        'the answer to end',
      );
    }
    await soon.equal(() => last.locator('.versions > span[aria-hidden]').innerText(), '3/3');
    const back = last.getByRole('button', { name: /^Version 2 of 3: Answer \d+\. So it goes on/ });
    await back.hover();
    await last.locator('.version-preview:visible', { hasText: 'Version 2 of 3' }).waitFor();
    await workbench.screenshot('versions preview in the workbench');
    await back.click();
    await last.getByRole('group', { name: 'Version 2 of 3' }).waitFor();
  });

  it('are told apart by a thin line in the colour of their branch', async () => {
    const { chat } = use();
    const lines = await chat.answers.evaluateAll((answers) =>
      answers.map((each) => getComputedStyle(each).borderInlineStartColor),
    );
    // The first answers stand on the branch that this one came from.
    assert.notEqual(lines[0], lines.at(-1));
    assert.equal(lines[0], lines[1]);
  });

  it('leave room for each other: a long answer can be folded, and opened again', async () => {
    const { chat } = use();
    const last = chat.answers.last();
    const height = (): Promise<number> =>
      last.locator('.answer-body').evaluate(({ clientHeight }) => clientHeight);
    const whole = await height();
    await last.getByRole('button', { name: 'Fold the answer' }).click();
    await until(async () => (await height()) < whole / 2, 'the answer to be folded');
    await last.getByRole('button', { name: 'Show the whole answer' }).click();
    await until(async () => (await height()) === whole, 'the whole answer');
  });
});
