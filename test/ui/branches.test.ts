import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answer, lastQuestion, pause, say, useTools, type Script } from '../fixtures/openaiServer.ts';
import { soon } from '../fixtures/soon.ts';
import { until } from '../fixtures/until.ts';
import { step } from './support/step.ts';
import type { TreeRow } from './support/treeView.ts';
import { echo, useChat } from './support/useChat.ts';

describe('the branches of a conversation', () => {
  const use = useChat();

  beforeEach('begin a chat', async () => {
    const { chat, server, workbench } = use();
    server.play(echo);
    await workbench.runCommand('workbench.action.closeAllEditors');
    await chat.startNew();
  });

  /** The rows of the chat that was used last, which is the first. */
  const rowsOfChat = async (): Promise<TreeRow[]> => {
    const rows = await use().workbench.tree.rows();
    const next = rows.findIndex(({ level }, index) => index > 0 && level === 1);
    return next === -1 ? rows : rows.slice(0, next);
  };

  it('are made by a rewind, a checkpoint and an edit, and switched to', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { contextMenu, quickInput, tree } = workbench;
    const describes = (name: string, description: string): Promise<unknown> =>
      until(
        // What follows is how long ago it was used.
        async () =>
          (await rowsOfChat()).find((row) => row.name === name)?.description.startsWith(`${description} · `),
        `${name} to be described as ${description}`,
      );

    await step('rewind by the menu of a message', async () => {
      await chat.ask('one');
      await chat.ask('two');
      await contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.onBranch('main-v2');
      await chat.shows(['one', 'You said one']);
    });
    await step('the next question goes on there, and the old branch is whole', async () => {
      await chat.ask('another two');
      await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
      await soon.deepEqual(
        async () => (await rowsOfChat()).map(({ name, level }) => '  '.repeat(level - 1) + name),
        ['one', '  main', '    another two'],
      );
      await describes('main', '4 messages');
      await describes('another two', 'active · 4 messages');
    });
    await step('switch by a click on a branch', async () => {
      await tree.click('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
      await describes('main', 'active · 4 messages');
    });
    await step('set a checkpoint', async () => {
      await workbench.runCommand('offshoot.createCheckpoint');
      await quickInput.shown('Create Checkpoint');
      await quickInput.type('after two');
      // A look at the conversation, or a page that takes the focus late, does not end the input.
      await chat.input.click();
      await quickInput.accept();
      await tree.row('after two').waitFor();
      await chat.frame.locator('.chip', { hasText: 'after two' }).waitFor();
    });
    await step('go on from it on a new branch by a click', async () => {
      await chat.ask('three');
      await tree.press('after two', 'Restore Checkpoint');
      await chat.onBranch('main-v3');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
    });
    await step('restore it by the list', async () => {
      await chat.ask('three again');
      await workbench.runCommand('offshoot.restoreCheckpoint');
      await quickInput.choose('after two');
      await chat.onBranch('main-v4');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
    });
    await step('rewind by the list', async () => {
      await workbench.runCommand('offshoot.rewind');
      await until(async () => (await quickInput.rows()).length === 2, 'the questions of the path');
      await quickInput.choose('two');
      await chat.shows(['one', 'You said one']);
      await chat.onBranch('main-v5');
      await soon.equal(() => chat.input.inputValue(), 'two', 'the question in the input');
    });
    await step('switch by the list, and leave the unchanged question with its branch', async () => {
      await workbench.runCommand('offshoot.switchBranch');
      await quickInput.choose('another two');
      await soon.equal(() => chat.input.inputValue(), '');
      await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
    });
    await step('take a rewind back, and do it again with the question in the input', async () => {
      await contextMenu.pickOn(chat.messages.first(), 'Rewind to Here');
      await chat.shows([]);
      for (const [command, input] of [
        ['undo', ''],
        ['redo', 'one'],
        ['undo', ''],
      ] as const) {
        await workbench.runCommand(`offshoot.${command}`);
        await soon.equal(() => chat.input.inputValue(), input);
      }
      await chat.onBranch('main-v2');
      await chat.shows(['one', 'You said one', 'another two', 'You said another two']);
    });
    await step('put a question back into the input to ask it differently', async () => {
      await chat.type('');
      await contextMenu.pickOn(chat.messages.first(), 'Edit Prompt');
      await chat.shows([]);
      await soon.equal(() => chat.input.inputValue(), 'one', 'the question in the input');
      await chat.ask('uno');
      await chat.shows(['uno', 'You said uno']);
    });
  });

  it('are compared in the diff editor, with what else differs', async function () {
    this.timeout(90_000);
    const keeps: Script = (request) =>
      lastQuestion(request) === 'keep it' && request.body.messages.at(-1)?.role !== 'tool'
        ? useTools(
            ['write_note', { name: 'mood', text: 'calm' }],
            ['write_note', { name: 'plan.md', text: '# Plan', mediaType: 'text/markdown' }],
          )
        : answer(`You said ${lastQuestion(request)}`);
    const { chat, server, workbench } = use();
    const { page, panel, quickInput } = workbench;
    server.play(keeps);
    /** The two sides of the open comparison, as far as they are on screen. */
    const sides = (): Promise<string[]> =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.monaco-diff-editor .editor.original, .monaco-diff-editor .editor.modified')].map((side) =>
          [...side.querySelectorAll('.view-line')]
            .map((line) => [line.getBoundingClientRect().top, line.innerText.replaceAll('\\u00a0', ' ').trim()])
            .sort(([a], [b]) => a - b).map(([, text]) => text).filter((text) => text !== '').join(' | '))`,
      );
    const tab = (name: string): Promise<void> => page.getByRole('tab', { name }).waitFor();
    const chooseBoth = async (): Promise<void> => {
      await workbench.runCommand('offshoot.compareBranches');
      await quickInput.shown('Select a branch to compare');
      await quickInput.choose('Main line');
      await quickInput.shown('Select a branch to compare Main line with');
      const labels = (await quickInput.rows()).map(({ label }) => label);
      assert.deepEqual(labels, ['deux']);
      await quickInput.choose('deux');
    };

    await chat.ask('one');
    await chat.ask('two');
    await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
    await chat.onBranch('main-v2');
    await chat.ask('deux');
    await step('both sides from their common message on, read-only', async () => {
      await chooseBoth();
      await soon.deepEqual(sides, [
        '### Assistant | You said one | ### You | two | ### Assistant | You said two',
        '### Assistant | You said one | ### You | deux | ### Assistant | You said deux',
      ]);
      await tab('Conversation (Main line ↔ deux)');
      await page.locator('.monaco-diff-editor .editor.modified .view-line').first().click();
      await page.keyboard.type('x');
      await page.getByRole('paragraph').filter({ hasText: 'Cannot edit in read-only editor' }).waitFor();
    });
    await step('two messages that are selected in the graph', async () => {
      await workbench.runCommand('offshoot.showGraph');
      const row = (text: string) => panel.locator('.graph-row', { hasText: text }).first();
      await row('You said two').click({ modifiers: ['Control'] });
      await row('You said one').click({ modifiers: ['Control'] });
      await panel.getByRole('button', { name: 'Compare the two selected' }).click();
      await tab('Conversation (Main line ↔ “You said one”)');
      await workbench.runCommand('workbench.action.closeAllEditors');
    });
    await step('what else differs, each with its own comparison', async () => {
      await chat.send('keep it');
      await chat.message('You said keep it').waitFor();
      await until(async () => (await chat.stopButton.count()) === 0, 'the answer to end');
      await chooseBoth();
      await quickInput.shown('Main line ↔ deux');
      await quickInput.row('plan.md').waitFor();
      assert.deepEqual(
        (await quickInput.rows()).map(({ label, description }) => `${label}: ${description}`),
        [
          'Conversation: 2 messages ↔ 5 messages · 13 tokens, price unknown ↔ 42 tokens, price unknown',
          'mood: only on deux',
          'plan.md: only on deux',
          'Open All: 3',
        ],
      );
      await quickInput.choose('plan.md');
      await tab('plan.md (Main line ↔ deux)');
      await until(async () => (await sides()).join(' ↔ ').includes('# Plan'), 'the text of the artifact');
    });
  });

  it('are dragged from the tree onto the chat', async function () {
    this.timeout(90_000);
    const { chat, workbench } = use();
    const { page, tree } = workbench;
    const { keyboard, mouse } = page;
    const middleOf = async (target: Locator): Promise<{ x: number; y: number }> => {
      // VS Code takes rows away for a moment while it redraws the tree.
      const box = await until(() => target.boundingBox(), 'it to be on the screen');
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    /** Begins to drag a row. One that VS Code redraws between the press and the move is not dragged, and taken again. */
    const takeHoldOf = async (row: Locator): Promise<void> => {
      const begun = 'dragHasBegun';
      await until(async () => {
        const from = await middleOf(row);
        await page.evaluate(
          `window.${begun} = false;
           window.addEventListener('dragstart', () => { window.${begun} = true; }, { capture: true, once: true });`,
        );
        await mouse.move(from.x, from.y);
        await mouse.down();
        // A drag begins with a few small moves on the row.
        await mouse.move(from.x + 10, from.y - 5, { steps: 5 });
        if ((await page.evaluate(`window.${begun}`)) === true) return true;
        await mouse.up();
        return false;
      }, 'the row to be dragged');
    };
    /** Holds a row of the tree above the chat, without Shift and then with it, and drops it there. */
    const dropOnChat = async (row: Locator): Promise<void> => {
      await takeHoldOf(row);
      const to = await middleOf(chat.frame.locator('.scroller'));
      await mouse.move(to.x, to.y, { steps: 4 });
      await chat.frame.getByText('Hold Shift to drop it here').waitFor();
      await keyboard.down('Shift');
      // VS Code lets the page see the drag from the next move on.
      await mouse.move(to.x, to.y + 20, { steps: 4 });
      await chat.frame.getByText('Drop to continue from here').waitFor();
      await mouse.up();
      await keyboard.up('Shift');
    };

    await chat.ask('one');
    await workbench.runCommand('offshoot.createCheckpoint');
    await workbench.quickInput.answer('herons');
    await tree.row('herons').waitFor();
    await chat.ask('two');
    // VS Code asks again for what is below a row when the row changes, and knows none of it until then: before the row
    // says that the answer has ended, nothing below it can be dragged.
    const one = tree.row('one').filter({ hasText: 'active · 4 messages' });
    await one.locator('.codicon-comment-discussion').waitFor();
    await step('a checkpoint, to go on from it', async () => {
      await dropOnChat(tree.row('herons'));
      await chat.onBranch('main-v2');
      await chat.shows(['one', 'You said one']);
      await chat.frame.locator('.drop-hint, .drop-target').waitFor({ state: 'detached' });
    });
    await step('a branch, to switch to it', async () => {
      await tree.marks('New branch');
      await dropOnChat(tree.row('main').first());
      await chat.onBranch('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
    });
    await step('without Shift, which changes nothing', async () => {
      // What nothing was said on is not shown, and a chat with one branch is one row.
      await tree.marks('one');
      const to = await middleOf(chat.frame.locator('.scroller'));
      await takeHoldOf(tree.row('herons'));
      await mouse.move(to.x, to.y, { steps: 4 });
      await mouse.up();
      // The page learns from the mouse that nothing is dragged any more.
      await mouse.move(to.x, to.y + 10, { steps: 4 });
      await chat.frame.locator('.drop-hint').waitFor({ state: 'detached' });
      await chat.onBranch('main');
    });
  });

  it('are made by questions by the way, whose cards are continued, closed, discarded and merged', async function () {
    this.timeout(120_000);
    const { chat, server, workbench } = use();
    const { dialog, quickInput, tree } = workbench;
    server.play((request) => {
      const question = lastQuestion(request);
      // What summarizes the side question is asked for in longer words.
      if (question.includes('\n')) return answer('Both are settled.');
      return [say(`${question} begins`), pause(question), say(` and ${question} ends`)];
    });
    const askByTheWay = async (question: string): Promise<Locator> => {
      await chat.input.fill(question);
      await chat.frame.getByRole('button', { name: 'By the way', exact: true }).click();
      server.release(question);
      const card = chat.aside.filter({ hasText: `${question} ends` });
      await card.waitFor();
      return card;
    };
    const followUp = async (card: Locator, question: string): Promise<void> => {
      await card.getByRole('textbox', { name: 'Follow-up' }).fill(question);
      await card.getByRole('button', { name: 'Send Follow-up' }).click();
      server.release(question);
      await card.getByText(`${question} ends`).waitFor();
    };

    await step('answered while the main answer streams, and neither disturbs the other', async () => {
      await chat.send('main');
      await chat.message('main begins').waitFor();
      await workbench.runCommand('offshoot.btw');
      await quickInput.answer('side');
      await chat.aside.getByText('side begins').waitFor();
      await chat.shows(['main', 'main begins']);
      await tree.row('side').waitFor();
      server.release('side');
      await chat.aside.getByText('side begins and side ends').waitFor();
      await chat.shows(['main', 'main begins']);
      server.release('main');
      await chat.answered(1);
      await chat.shows(['main', 'main begins and main ends']);
      await chat.onBranch('main');
    });
    await step('continued', async () => {
      await chat.aside.getByRole('button', { name: 'Continue in Chat' }).click();
      await chat.onBranch('main-v2');
      await chat.shows(['main', 'side', 'side begins and side ends']);
    });
    await step('asked from the input while an answer streams, and closed', async () => {
      await chat.send('again');
      await chat.message('again begins').waitFor();
      const card = await askByTheWay('second side');
      server.release('again');
      await card.getByRole('button', { name: /^Close/ }).click();
      await card.waitFor({ state: 'detached' });
      await tree.row('second side').waitFor();
    });
    await step('discarded with its follow-up, once the user is sure', async () => {
      const card = await askByTheWay('third side');
      await followUp(card, 'further');
      await card.getByRole('button', { name: 'Discard', exact: true }).click();
      await dialog.press('Cancel');
      await tree.row('third side').waitFor();
      await card.getByRole('button', { name: 'Discard', exact: true }).click();
      await dialog.press('Discard');
      await card.waitFor({ state: 'detached' });
      await tree.row('third side').waitFor({ state: 'detached' });
    });
    await step('merged with its follow-up into the conversation', async () => {
      const card = await askByTheWay('fourth side');
      await followUp(card, 'more of it');
      await card.getByRole('button', { name: 'Merge Summary…' }).click();
      await quickInput.choose('Summarize with test-model');
      await workbench.page.getByRole('button', { name: 'Add Summary to This Branch' }).first().click();
      const report = chat.frame.locator('.report', { hasText: 'Merged from fourth side' });
      await report.getByText('Both are settled.').waitFor();
    });
  });

  it('are drawn as a graph in an editor tab, which follows, leads to them and is there after a reload', async function () {
    this.timeout(120_000);
    const { chat, workbench } = use();
    const { panel } = workbench;
    const row = (text: string): Locator => panel.locator('.graph-row', { hasText: text });
    /** Waits until the chat shows a message, with the keyboard on it. */
    const isAt = (text: string): Promise<unknown> =>
      until(
        async () => (await chat.frame.locator('.message:focus').innerText()).includes(text),
        `the chat to show “${text}”`,
      );

    await step('draw the conversation and follow it', async () => {
      await chat.ask('one');
      await chat.ask('two');
      await workbench.runCommand('offshoot.showGraph');
      await row('You said two').waitFor();
      await workbench.contextMenu.pickOn(chat.message('You said one'), 'Rewind to Here');
      await chat.onBranch('main-v2');
      await chat.ask('another two');
      await panel.locator('.chip.here', { hasText: 'another two' }).waitFor();
      await row('You said another two').waitFor();
      await panel.getByText('6 messages · 2 branches').waitFor();
      await soon.equal(() => panel.locator('.graph-row').count(), 6);
      await workbench.page.getByRole('tab', { name: 'Graph: one' }).waitFor();
    });
    await step('preview a message', async () => {
      await row('You said another two').hover();
      await panel.locator('.graph-preview .preview-text').getByText('You said another two').waitFor();
      await row('You said another two').click();
      await isAt('You said another two');
    });
    await step('switch to the branch of what is clicked by a button', async () => {
      await row('You said two').click();
      await panel.getByRole('button', { name: 'Switch to this branch' }).click();
      await chat.onBranch('main');
      await chat.shows(['one', 'You said one', 'two', 'You said two']);
      await row('another two').first().click();
      await panel.getByRole('button', { name: 'Switch Branch and Show' }).click();
      await chat.onBranch('main-v2');
      await isAt('another two');
    });
    await step('set a checkpoint by the menu of a message', async () => {
      await workbench.contextMenu.pickOn(row('You said one'), 'Create Checkpoint Here');
      await workbench.quickInput.answer('the fork');
      await panel.locator('.chip.checkpoint', { hasText: 'the fork' }).waitFor();
    });
    await step('reload the window', async () => {
      await workbench.reloadByCommand();
      await row('You said another two').waitFor();
      await chat.onBranch('main-v2');
      await row('two').last().waitFor();
    });
  });
});
