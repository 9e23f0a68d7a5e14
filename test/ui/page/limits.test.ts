import assert from 'node:assert/strict';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('what can’t be done in a window', () => {
  const use = useChat();

  it('is said above the input, with what can be done about it', async () => {
    const chat = use();
    const text =
      'Restricted Mode: tools, edits, and the project’s instructions, prompts, skills, agents, and hooks are off.';
    const banners = [
      {
        id: 'restricted',
        severity: 'info' as const,
        title: 'Restricted Mode',
        text,
        limit: { action: 'manageTrust' as const },
      },
      {
        id: 'access',
        severity: 'warning' as const,
        title: 'Read-only',
        text: 'Another window is writing.',
        limit: {},
      },
      { id: 'no-folder', severity: 'info' as const, title: 'No folder open', text: 'No folder open.' },
    ];
    await chat.show(conversation(turns(2), { banners }));
    assert.equal(await chat.page.locator('.banner').count(), 0, 'it is looked up');
    assert.equal(
      await chat.segment('notices').getAttribute('aria-label'),
      '3 notices, Read-only, Restricted Mode, No folder open',
    );
    await chat.openPanel('notices');
    const notices = chat.page.locator('.banner');
    assert.deepEqual(await notices.allInnerTexts(), [
      'Another window is writing.',
      `${text} Manage Workspace Trust`,
      'No folder open.',
    ]);
    const line = await notices.first().boundingBox();
    const input = await chat.input.boundingBox();
    const list = await chat.scroller.boundingBox();
    assert.ok(line && input && list);
    assert.ok(line.y >= list.y + list.height - 1 && line.y < input.y);
    await chat.button('Manage Workspace Trust').click();
    assert.deepEqual(await chat.expect('takeLimitAction'), {
      type: 'takeLimitAction',
      action: 'manageTrust',
    });
    await chat.show(conversation(turns(2), { banners: banners.slice(0, 1) }));
    const alone = chat.segment('notices');
    assert.equal(await alone.locator('.tray-words').innerText(), 'Restricted Mode', 'one says what it is');
    await chat.show(conversation(turns(2)));
    assert.equal(await notices.count(), 0);
  });
});

describe('chats of this project that are elsewhere', () => {
  const use = useChat();

  it('are offered in an empty chat, to be opened, copied or refused', async () => {
    const chat = use();
    const offer = 'file:///storage/1/offshoot';
    const text = 'This project has conversations from “app”.';
    const banners = [
      { id: 'related', severity: 'info' as const, title: 'Chats found elsewhere', text, offer },
    ];
    await chat.show(conversation([], { banners }));
    await chat.page.locator('.banner', { hasText: text }).waitFor();
    for (const [label, action] of [
      ['Open', 'open'],
      ['Copy', 'copy'],
      ['Not These', 'refuse'],
    ] as const) {
      await chat.page.locator('.banner').getByRole('button', { name: label, exact: true }).click();
      assert.deepEqual(await chat.expect('takeOffer'), { type: 'takeOffer', offer, action });
    }
  });
});
