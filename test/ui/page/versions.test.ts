import assert from 'node:assert/strict';
import { answer, conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const before = { id: 'a0', preview: 'The first answer was another one' };
const after = { id: 'a2', preview: 'And so was the third' };
const messages = [
  question('q', 'How does it work?'),
  answer('a1', 'Like this.', { versions: { number: 2, count: 3, before, after }, line: 1 }),
  question('q2', 'And then?', { line: 1 }),
  answer('b', 'Long. '.repeat(300), { line: 1 }),
];
const lineage = [
  { branch: 'main', color: 0 },
  { branch: 'main-v2', color: 1, forkMessageId: 'q' },
];

describe('branch points in the chat', () => {
  const use = useChat();
  beforeEach(async () => {
    await use().show(conversation(messages, { branch: 'main-v2', branchCount: 2, lineage }));
  });

  it('say which version one reads, show how the others begin, and lead there by keyboard', async () => {
    const chat = use();
    await chat.page.getByRole('group', { name: 'Version 2 of 3' }).waitFor();
    const back = chat.button('Version 1 of 3: The first answer was another one');
    await chat.messages.nth(1).focus();
    await back.focus();
    await chat.page.keyboard.press('Shift');
    await chat.page.locator('.version-preview', { hasText: 'The first answer' }).waitFor();
    await chat.screenshot('versions preview');
    await chat.page.keyboard.press('Enter');
    assert.deepEqual(await chat.expect('openVersion'), { type: 'openVersion', messageId: 'a0' });
    await chat.button('Version 3 of 3: And so was the third').hover();
    await chat.page.locator('.version-preview:visible', { hasText: 'And so was the third' }).waitFor();
    await chat.button('Version 3 of 3: And so was the third').click();
    assert.deepEqual(await chat.expect('openVersion'), { type: 'openVersion', messageId: 'a2' });
    await chat.button('Compare the answers side by side').click();
    assert.deepEqual(await chat.expectCommand('compareAnswers'), {
      type: 'runCommandHere',
      command: 'compareAnswers',
      messageId: 'a1',
    });
  });

  it('are told by the line at the side and by the branches one came from', async () => {
    const chat = use();
    const classes = await chat.page.evaluate<string[]>(
      "[...document.querySelectorAll('.message')].map((each) => /line-\\d/.exec(each.className)?.[0] ?? '')",
    );
    assert.deepEqual(classes, ['', 'line-1', 'line-1', 'line-1']);
    const colors = await chat.messages.evaluateAll((all) =>
      all.map((each) => getComputedStyle(each).borderInlineStartColor),
    );
    assert.notEqual(colors[0], colors[1]);
    assert.equal(colors[1], colors[3]);
    const crumbs = chat.page.getByRole('navigation', { name: 'Where this branch comes from' });
    assert.deepEqual(await crumbs.getByRole('button').allInnerTexts(), ['main', 'main-v2']);
    await crumbs.getByRole('button', { name: 'main', exact: true }).click();
    assert.deepEqual(await chat.expect('switchBranch'), { type: 'switchBranch', branch: 'main' });
    await crumbs.getByRole('button', { name: 'main-v2' }).click();
    await chat.page.locator('[data-message-id="q"]:focus').waitFor();
    // A branch that comes from none has nothing to say.
    await chat.show(conversation(messages.slice(0, 1), { lineage: lineage.slice(0, 1) }));
    await crumbs.waitFor({ state: 'detached' });
  });

  it('are made by editing a question where it stands; Escape leaves it as it was', async () => {
    const chat = use();
    await chat.messages.nth(2).hover();
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    const box = chat.page.getByRole('textbox', { name: 'Edit the question' });
    assert.equal(await box.inputValue(), 'And then?');
    await box.fill('something else');
    await chat.screenshot('edit in place');
    await chat.page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    assert.equal(await box.inputValue(), 'And then?');
    await box.fill('And now?');
    await chat.page.keyboard.press('Enter');
    const sent = { type: 'editMessage', messageId: 'q2', text: 'And now?' };
    assert.deepEqual(await chat.expect('editMessage'), sent);
  });

  it('are edited with nothing over the buttons, however low the view is', async () => {
    const chat = use();
    const jump = chat.button('Jump to latest');
    await chat.page.setViewportSize({ width: 300, height: 240 });
    await chat.messages.nth(2).scrollIntoViewIfNeeded();
    await jump.waitFor();
    await chat.messages.nth(2).hover();
    await chat.messages.nth(2).getByRole('button', { name: 'Edit here, on a new branch' }).click();
    await jump.waitFor({ state: 'hidden' });
    await chat.page.keyboard.press('Escape');
    await jump.waitFor();
  });

  it('leave room for what one wants to read: a long answer can be folded, and stays so', async () => {
    const chat = use();
    const height = (): Promise<number> =>
      chat.page.evaluate<number>("document.querySelectorAll('.answer-body')[1].clientHeight");
    const whole = await height();
    assert.equal(await chat.button('Fold the answer').count(), 1, 'a short one cannot be folded');
    await chat.button('Fold the answer').click();
    assert.ok((await height()) < whole / 2);
    await chat.show(conversation(messages, { branch: 'main-v2', branchCount: 2, lineage }));
    await chat.screenshot('folded');
    await chat.button('Show the whole answer').click();
    assert.equal(await height(), whole);
  });
});
