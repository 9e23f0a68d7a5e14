import assert from 'node:assert/strict';
import type { ApprovalView } from '../../../src/protocol/views.ts';
import type { Chat } from './harness/chat.ts';
import { askingCall, conversation, question, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('the answers to a question for leave', () => {
  const use = useChat({ viewport: { width: 280, height: 700 } });
  const show = (chat: Chat, approval: Partial<ApprovalView>): Promise<void> => {
    const call = askingCall('ask-1');
    assert.ok(call.approval);
    const parts = [{ ...call, approval: { ...call.approval, ...approval } }];
    return chat.show(conversation([question('q1', 'why?')], { running: { ...streaming('a2'), parts } }));
  };
  const labels = (chat: Chat): Promise<string[]> => chat.page.locator('.approval-button').allTextContents();

  for (const [covers, choices, expected] of [
    [
      'edits',
      ['once', 'chat', 'workspace', 'deny'],
      ['Allow Once', 'Allow All Edits in This Chat', 'Always Allow Edits in Workspace', 'Deny'],
    ],
    [
      'tool',
      ['once', 'chat', 'workspace', 'deny'],
      ['Allow Once', 'Allow Tool in This Chat', 'Always Allow Tool in Workspace', 'Deny'],
    ],
    [
      'command',
      ['once', 'chat', 'workspace', 'deny'],
      ['Allow Once', 'Allow This Command in This Chat', 'Always Allow This Command in Workspace', 'Deny'],
    ],
    [
      'host',
      ['once', 'chat', 'workspace', 'deny'],
      ['Allow Once', 'Allow This Host in This Chat', 'Always Allow This Host in Workspace', 'Deny'],
    ],
    [
      'resources',
      ['once', 'chat', 'workspace', 'deny'],
      [
        'Allow Once',
        'Allow Resources of This Server in This Chat',
        'Always Allow Resources of This Server in Workspace',
        'Deny',
      ],
    ],
    ['requests', ['once', 'chat', 'deny'], ['Allow Once', 'Allow Its Requests in This Chat', 'Deny']],
    ['reading', ['chat', 'deny'], ['Allow Reading It in This Chat', 'Deny']],
    ['edits', ['once', 'deny'], ['Allow Once', 'Deny']],
  ] as const) {
    it(`say all that they allow: ${covers}, ${choices.join(', ')}`, async () => {
      const chat = use();
      const openMore = async (): Promise<void> => {
        if (choices.length > 2) await chat.button('More Ways to Allow').click();
      };
      await show(chat, { covers, choices: [...choices] });
      assert.deepEqual(await labels(chat), [expected[0], expected.at(-1)]);
      await openMore();
      assert.deepEqual((await labels(chat)).sort(), [...expected].sort());
      for (const [index, choice] of choices.entries()) {
        await show(chat, { covers, choices: [...choices], id: `ask ${index}` });
        if (index > 0 && choice !== 'deny') await openMore();
        await chat.letStand();
        await chat
          .button(expected[index] ?? '')
          .and(chat.page.locator('[aria-disabled="false"]'))
          .click();
        const sent = (await chat.sent()).filter(({ type }) => type === 'answerApproval');
        assert.deepEqual(sent.at(-1), { type: 'answerApproval', id: `ask ${index}`, choice });
      }
    });
  }

  it('stand below the very line that is to be remembered, with what it hides spelled out', async () => {
    const chat = use();
    await show(chat, { covers: 'tool', choices: ['once', 'deny'], fact: 'Use <b>tabs</b>\u202e' });
    const line = chat.page.locator('.approval-command');
    assert.equal(await line.textContent(), 'Use <b>tabs</b>\u202e');
    assert.equal(await line.locator('.hidden-character').getAttribute('data-code'), '‹U+202E›');
    assert.deepEqual(await labels(chat), ['Allow Once', 'Deny']);
  });

  it('are given by keys where the focus is among them: Ctrl+Enter allows, Escape denies', async () => {
    const chat = use();
    const answers = async (): Promise<unknown[]> =>
      (await chat.sent()).filter(({ type }) => type === 'answerApproval');
    await show(chat, {});
    await chat.letStand();
    await chat.input.focus();
    await chat.page.keyboard.press('Control+Enter');
    await chat.page.keyboard.press('Escape');
    assert.deepEqual(
      (await answers()).filter((each) => (each as { id: string }).id === 'ask-1'),
      [],
    );
    await chat.button('Deny').focus();
    await chat.page.keyboard.press('Control+Enter');
    assert.deepEqual((await answers()).at(-1), { type: 'answerApproval', id: 'ask-1', choice: 'once' });
    await show(chat, { id: 'second' });
    await chat.letStand();
    await chat.button('More Ways to Allow').click();
    await chat.button('Allow All Edits in This Chat').focus();
    // The first one closes the list.
    await chat.page.keyboard.press('Escape');
    await chat.page.locator('.approval-list').waitFor({ state: 'detached' });
    await chat.page.locator('.approval-more:focus').waitFor();
    assert.equal((await answers()).length, 1);
    await chat.page.keyboard.press('Escape');
    assert.deepEqual((await answers()).at(-1), { type: 'answerApproval', id: 'second', choice: 'deny' });
  });

  it('stand in one row, with what shows the changes, in the narrowest side bar', async () => {
    const chat = use();
    await chat.page.setViewportSize({ width: 240, height: 700 });
    await show(chat, { hasChanges: true });
    const changes = chat.button('Show Changes');
    await changes.waitFor();
    const boxes = await Promise.all(
      [chat.button('Allow Once'), chat.button('Deny'), changes].map((each) => each.boundingBox()),
    );
    const middles = boxes.map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0) / 2));
    const [first = NaN] = middles;
    assert.ok(
      middles.every((middle) => Math.abs(middle - first) < 8),
      JSON.stringify(boxes),
    );
  });

  it('have none that stands out where a command could do anything', async () => {
    const chat = use();
    await show(chat, { covers: 'command', command: 'npm test' });
    await chat.page.locator('.approval-button.primary').waitFor();
    await show(chat, { id: 'b', covers: 'command', command: 'sh x', reason: 'Runs other programs.' });
    assert.equal(await chat.page.locator('.approval .primary').count(), 0);
  });

  it('come with the reason where they are asked for each time, told as part of the question', async () => {
    const chat = use();
    const reason = 'Can run programs.';
    await show(chat, { choices: ['once', 'deny'], reason });
    const alert = chat.page.getByRole('alert').filter({ hasText: 'Allow edit to src/greet.ts?' });
    assert.equal(await alert.locator('.approval-reason').textContent(), reason);
    await show(chat, { id: 'other' });
    await chat.page.locator('.approval-reason').waitFor({ state: 'detached' });
  });

  it('stand below the command as it is run, with what hides in it by its number', async () => {
    const chat = use();
    await show(chat, { covers: 'command', command: 'ls -la\nrm <b>x</b>\u202e' });
    const command = chat.page.getByRole('alert').locator('.approval-command');
    assert.equal(await command.innerText(), 'ls -la\nrm <b>x</b>\u202e');
    assert.match((await command.locator('.hidden-character').getAttribute('data-code')) ?? '', /202E/);
  });

  it('stand below the address of a page as it is sent', async () => {
    const chat = use();
    const address = `https://xn--bcher-kva.example/?q=${'x'.repeat(400)}<b>`;
    await show(chat, { covers: 'host', address });
    assert.equal(await chat.page.getByRole('alert').locator('.approval-command').innerText(), address);
  });

  it('stand below what a server asks a model', async () => {
    const chat = use();
    const sent = 'Which bird?\n<b>Sure?</b>';
    await show(chat, { covers: 'requests', sent });
    assert.equal(await chat.page.getByRole('alert').locator('.approval-command').innerText(), sent);
  });
});

describe('the row of a call', () => {
  const use = useChat({ viewport: { width: 280, height: 700 } });

  it('opens the resources that it returned', async () => {
    const chat = use();
    const { approval: _asked, ...call } = askingCall('ask-1');
    const resources = [
      { uri: 'mcp-resource://6d/notes/field/a', name: 'notes://field/a' },
      { uri: 'mcp-resource://6d/notes/field/b', name: `notes://field/${'b'.repeat(200)}` },
    ];
    const parts = [{ ...call, state: 'done' as const, resources }];
    await chat.show(conversation([question('q1', 'why?')], { running: { ...streaming('a2'), parts } }));
    await chat.page.getByRole('button', { name: 'notes://field/a' }).click();
    const opened = (await chat.sent()).filter(({ type }) => type === 'openLink');
    assert.deepEqual(opened, [{ type: 'openLink', href: 'mcp-resource://6d/notes/field/a' }]);
    const width = await chat.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 280, `${width}`);
  });
});
