import assert from 'node:assert/strict';
import { until } from '../../fixtures/until.ts';
import { answer, conversation, question, streaming, toolCall, turns } from './harness/conversations.ts';
import { longRun, look, todos } from './harness/stepStates.ts';
import { useChat } from './harness/useChat.ts';

describe('the todo list above the input', () => {
  const use = useChat({ viewport: { width: 240, height: 700 } });
  const section = () => use().page.getByRole('region', { name: 'Todos' });
  const toggle = () => use().segment('todos');
  const boxes = () => section().getByRole('checkbox');

  it('is one line that says how far it is, and opens by keyboard to what is being done', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { todos }));
    assert.match((await toggle().innerText()).replaceAll(/\s+/g, ' '), /^2\/5 todos$/);
    assert.equal(await toggle().getAttribute('aria-label'), '2/5 todos, 2 of 5 done');
    assert.equal(await boxes().count(), 0);
    await toggle().focus();
    await chat.page.keyboard.press('Enter');
    await until(async () => (await boxes().count()) === 5, 'the list');
    await section().getByText('2 of 5 done').waitFor();
    assert.equal(
      await section().locator('[aria-current=step]').innerText(),
      `${todos[2]?.title}\nin progress`,
    );
    const checked = await boxes().evaluateAll((all) => all.map((box) => box.ariaChecked));
    assert.deepEqual(checked, ['true', 'true', 'false', 'false', 'false']);
  });

  it('is ticked, unticked and cleared, by what is shown', async () => {
    const chat = use();
    await chat.show(conversation(turns(2), { todos }));
    await toggle().click();
    await boxes().nth(3).press('Space');
    assert.deepEqual(await chat.expect('markTodo'), {
      type: 'markTodo',
      index: 3,
      title: 'Run the tests',
      status: 'done',
    });
    await boxes().nth(0).click();
    await until(async () => (await chat.expect('markTodo')).index === 0, 'another one');
    assert.equal((await chat.expect('markTodo')).status, 'pending');
    await chat.button('Clear Todos').click();
    await chat.expect('clearTodos');
    await chat.show(conversation(turns(2)));
    await section().waitFor({ state: 'detached' });
    assert.ok(await chat.page.evaluate<boolean>('document.activeElement.matches(".composer textarea")'));
  });

  it('is only read while an answer is written, and where nothing can be', async () => {
    const chat = use();
    const shown = [
      conversation(turns(2), { todos, running: streaming('a', 'Well') }),
      conversation(turns(2), { todos, isReadOnly: true }),
    ];
    await chat.show(conversation(turns(2), { todos }));
    await toggle().click();
    for (const view of shown) {
      await chat.show(view);
      await boxes().nth(3).press('Enter');
      assert.ok(await chat.button('Clear Todos').isDisabled());
    }
    assert.ok(!(await chat.sent()).some(({ type }) => type === 'markTodo'));
  });

  it('has what hides in a title spelled out, and room for fifty long ones', async () => {
    const chat = use();
    const many = Array.from({ length: 50 }, (_, index) => ({
      title: `${index} \u202e${'long'.repeat(40)}`,
      status: 'pending' as const,
    }));
    await chat.show(conversation(turns(2), { todos: many }));
    await toggle().click();
    await until(async () => (await boxes().count()) === 50, 'all of them');
    const panel = await chat.page.locator('.tray-panel').boundingBox();
    assert.ok((panel?.height ?? 999) <= 700 * 0.22 + 1);
    assert.ok(await section().locator('.hidden-character').first().isVisible());
    assert.ok(await chat.input.isVisible());
  });
});

describe('an answer of many steps', () => {
  const use = useChat({ viewport: { width: 400, height: 900 } });

  it('has what only looked in one row, which opens to each call, and everything else separately', async () => {
    const chat = use();
    await chat.show(conversation(longRun));
    const titles = () => chat.page.locator('.tool-title:visible').allInnerTexts();
    assert.deepEqual(await titles(), [
      'Searched once, read 3 files',
      'Edit src/greet.ts',
      'Edit src/words.ts',
      'Run npm test -- --grep "greets in a language that takes a very long name"',
    ]);
    await chat.page.locator('.readings > summary').press('Enter');
    await until(async () => (await titles()).length === 8, 'each of them');
    assert.deepEqual((await titles()).slice(1, 3), ['Search for “hello”', 'Read src/greet.ts']);
    await chat.show(conversation([...longRun, ...turns(1)]));
    assert.equal((await titles()).length, 8, 'it stays as it was left');
  });

  it('counts a file once, and hides no failure', async () => {
    const chat = use();
    const failed = toolCall({
      callId: 'c9',
      title: 'Read gone.ts',
      state: 'failed',
      output: 'There is none.',
    });
    const parts = [look('1', 'file', 'a.ts'), look('2', 'file', 'a.ts'), failed, look('3', 'search', 'x')];
    await chat.show(conversation([question('q', 'Look'), answer('a', '', { parts })]));
    assert.deepEqual(await chat.page.locator('.tool-title:visible').allInnerTexts(), [
      'Read 1 file',
      'Read gone.ts',
      'Search for “x”',
    ]);
    await chat.page.getByText('There is none.').waitFor();
    const folder = toolCall({ callId: '4', title: 'List src', reading: { kind: 'folder', of: 'src' } });
    const listed = [folder, look('5', 'file', 'a.ts')];
    await chat.show(conversation([question('q', 'Look'), answer('a', '', { parts: listed })]));
    assert.deepEqual(await chat.page.locator('.tool-title:visible').allInnerTexts(), [
      'Listed 1 folder, read 1 file',
    ]);
  });

  it('shows the last call while it is on its way, and folds it once something follows', async () => {
    const chat = use();
    const rows = () => chat.page.locator('.tool-title:visible').allInnerTexts();
    const reads = ['a.ts', 'b.ts', 'c.ts'].map((file) => look(file, 'file', file));
    await chat.show(conversation([question('q', 'Look')], { running: { ...streaming('a'), parts: reads } }));
    assert.deepEqual(await rows(), ['Read 2 files', 'Read c.ts']);
    const parts = [...reads, { type: 'text' as const, text: 'I see.' }];
    await chat.show(conversation([question('q', 'Look')], { running: { ...streaming('a'), parts } }));
    assert.deepEqual(await rows(), ['Read 3 files']);
  });

  it('can be rewound to a step from between two of them, by mouse and by keyboard, also while it goes on', async () => {
    const chat = use();
    const [, first, second] = longRun;
    assert.ok(first && second);
    await chat.show(conversation(longRun.slice(0, 3), { running: streaming('s3', 'Now') }));
    const marker = (at: number) => chat.messages.nth(at).locator('.step');
    assert.equal(await marker(1).locator('.step-text').innerText(), 'Edited 2 files');
    await chat.messages.nth(1).hover();
    await marker(1).getByRole('button', { name: 'Rewind to Here: Edited 2 files' }).click();
    assert.equal((await chat.expectCommand('rewindToHere')).messageId, 's1');
    await chat.messages.nth(2).focus();
    await marker(2).locator('button').press('Enter');
    await until(async () => (await chat.expectCommand('rewindToHere')).messageId === 's2', 'the second one');
    // Its own menu opens on each of them as well.
    const context = await chat.messages.nth(1).getAttribute('data-vscode-context');
    assert.match(context ?? '', /"messageId":"s1"/);
    // Where nothing follows, one is there already.
    await chat.show(conversation(longRun.slice(0, 3)));
    assert.ok(await marker(1).isVisible());
    assert.ok(!(await marker(2).isVisible()));
  });

  it('goes on from a step that was rewound to', async () => {
    const chat = use();
    const [asked, first] = longRun;
    assert.ok(asked && first);
    await chat.show(conversation([asked, { ...first, canContinue: true }]));
    await chat.page.getByText('The answer stops after this step.').waitFor();
    await chat.button('Continue').click();
    assert.equal((await chat.expect('continueAnswer')).branch, 'main');
  });

  it('says at its end how long all of it took, in how many steps, and what it cost, with the details', async () => {
    const chat = use();
    await chat.show(conversation(longRun));
    const footer = chat.page.locator('.turn');
    assert.equal(await footer.count(), 1);
    assert.equal(await footer.innerText(), '2 min 5 s · 5 steps · $0.13');
    await footer.locator('button').click();
    const details = (await footer.locator('.usage-details').innerText()).replaceAll(/\s+/g, ' ');
    assert.match(
      details,
      /^Time 2 min 5 s Steps 5 Input 84,400 Cached input 79,800 Output 6,340 .*Cost \$0\.134200$/,
    );
  });

  it('says no time of a turn that another program wrote, where none is known', async () => {
    const chat = use();
    const last = longRun.at(-1);
    assert.ok(last);
    await chat.show(conversation([...longRun.slice(0, -1), { ...last, turn: { duration: 0, steps: 3 } }]));
    assert.equal(await chat.page.locator('.turn').innerText(), '3 steps');
    // Where nothing is known of a price, it is what was counted.
    const turn = { duration: 2_000, steps: 3, usage: { inputTokens: 60, outputTokens: 18 } };
    await chat.show(conversation([...longRun.slice(0, -1), { ...last, turn }]));
    assert.equal(await chat.page.locator('.turn').innerText(), '2 s · 3 steps · 60 in, 18 out');
  });
});
