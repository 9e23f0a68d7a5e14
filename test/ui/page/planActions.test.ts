import assert from 'node:assert/strict';
import { answer, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const plan = answer('a', '1. Look.\n2. Change.', { isPlan: true });
const messages = [question('q', 'How would you?'), plan, question('q2', 'Implement this plan.')];

describe('a plan in the chat', () => {
  const use = useChat({ viewport: { width: 240, height: 700 } });

  it('can be carried out and edited above the input, but not where nothing can be written', async () => {
    const chat = use();
    await chat.show(conversation(messages, { canHaveOwnFiles: true }));
    await chat.openPanel('plan');
    await chat.button('Implement').click();
    assert.equal((await chat.expectCommand('carryOutPlan')).messageId, 'a');
    await chat.button('Open Plan').click();
    assert.equal((await chat.expectCommand('editPlan')).messageId, 'a');
    await chat.button('In Own Files').click();
    assert.equal((await chat.expectCommand('carryOutPlanInOwnFiles')).messageId, 'a');
    const cut =
      '[...document.querySelectorAll(".plan button")].filter((each) => each.getBoundingClientRect().right > innerWidth - 12 || each.getBoundingClientRect().left < 12).length';
    assert.equal(await chat.page.evaluate<number>(cut), 0);
    await chat.screenshot('plan above the input of a narrow page');
    await chat.show(conversation(messages, { canHaveOwnFiles: true, isReadOnly: true }));
    assert.ok(await chat.button('Implement').isDisabled());
    assert.ok(await chat.button('In Own Files').isDisabled());
    assert.ok(await chat.button('Open Plan').isDisabled());
    // As in a browser, where there are none.
    await chat.show(conversation(messages));
    assert.equal(await chat.button('In Own Files').count(), 0);
    assert.equal(await chat.button('Implement').count(), 1);
  });

  it('is still offered after a later one, by what it was asked for with, the last one first', async () => {
    const chat = use();
    const later = answer('b', '1. Look again.', { isPlan: true });
    await chat.show(conversation([...messages, answer('a2', 'Done.'), question('q3', 'And faster?'), later]));
    const rows = chat.page.locator('.plan');
    assert.deepEqual(await rows.locator('.plan-question').allInnerTexts(), ['And faster?', 'How would you?']);
    assert.equal(await chat.segment('plan').getAttribute('aria-label'), '2 plans');
    await rows.nth(1).getByRole('button', { name: 'Implement' }).click();
    assert.equal((await chat.expectCommand('carryOutPlan')).messageId, 'a');
    const overflow =
      'document.querySelector(".tray").scrollWidth - document.querySelector(".tray").clientWidth';
    assert.ok((await chat.page.evaluate<number>(overflow)) <= 0);
  });

  it('says how much of it is done once it was begun, also where its answer is not loaded, and waits for an answer', async () => {
    const chat = use();
    const begun = { canHaveOwnFiles: true as const, plan: { done: 3, count: 7, isBegun: true } };
    await chat.show(conversation(messages.slice(2), begun));
    assert.equal(await chat.segment('plan').getAttribute('aria-label'), '3/7 plan steps, 3 of 7 done');
    await chat.openPanel('plan');
    assert.equal(await chat.page.locator('.plan-progress').innerText(), '3 of 7 done');
    await chat.button('Implement').click();
    assert.equal((await chat.expectCommand('carryOutPlan')).messageId, undefined);
    await chat.button('Open Plan').click();
    assert.equal((await chat.expectCommand('editPlan')).messageId, undefined);
    await chat.show(conversation(messages, { ...begun, running: streaming('a2') }));
    assert.ok(await chat.button('Implement').isDisabled());
    assert.ok(await chat.button('Open Plan').isEnabled());
  });

  it('shows steps below the one that they are part of', async () => {
    const chat = use();
    await chat.show(conversation([question('q', 'How?'), answer('a', '- [ ] Lock it\n  - [x] Test that')]));
    const boxes = chat.page.locator('.markdown input');
    const [whole, part] = [await boxes.nth(0).boundingBox(), await boxes.nth(1).boundingBox()];
    assert.ok(whole && part && part.y >= whole.y + whole.height, JSON.stringify([whole, part]));
  });

  it('tells the mode next to the input, by its icon alone where there is no room', async () => {
    const chat = use();
    const mode = { id: 'plan' as const, label: 'Plan', description: 'Only reads, and ends with a plan' };
    await chat.show(conversation(messages, { mode }));
    const button = chat.page.locator('.mode-button');
    assert.equal(await button.getAttribute('title'), 'Mode: Plan\nOnly reads, and ends with a plan');
    assert.equal(await button.locator('.mode-name').isVisible(), false);
    assert.equal(await button.getByText('Mode: Plan').count(), 1, 'it is read out');
    await button.click();
    assert.deepEqual(await chat.expectCommand('selectMode'), { type: 'runCommand', command: 'selectMode' });
    const overflow = 'document.querySelector(".composer").scrollWidth - innerWidth';
    assert.ok((await chat.page.evaluate<number>(overflow)) <= 0);
    await chat.page.setViewportSize({ width: 400, height: 700 });
    assert.equal(await button.locator('.mode-name').isVisible(), true);
  });
});
