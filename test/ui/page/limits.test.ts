import assert from 'node:assert/strict';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('what can’t be done in a window', () => {
  const use = useChat();

  it('is said above the input, with what can be done about it', async () => {
    const chat = use();
    const text = 'Restricted Mode: tools, edits, prompt files, and instructions from files are off.';
    const banners = [
      { id: 'restricted', severity: 'info' as const, text, limit: { action: 'manageTrust' as const } },
      { id: 'access', severity: 'warning' as const, text: 'Another window is writing.', limit: {} },
      { id: 'no-folder', severity: 'info' as const, text: 'No folder open.' },
    ];
    await chat.show(conversation(turns(2), { banners }));
    assert.deepEqual(await chat.page.locator('.banner').allInnerTexts(), ['No folder open.']);
    const limits = chat.page.locator('.limit');
    assert.equal(await limits.count(), 2);
    const line = await limits.first().boundingBox();
    const input = await chat.input.boundingBox();
    const list = await chat.scroller.boundingBox();
    assert.ok(line && input && list);
    assert.ok(line.y >= list.y + list.height - 1 && line.y < input.y);
    await chat.button('Manage Workspace Trust').click();
    assert.deepEqual(await chat.expect('takeLimitAction'), {
      type: 'takeLimitAction',
      action: 'manageTrust',
    });
    await chat.show(conversation(turns(2)));
    assert.equal(await limits.count(), 0);
  });
});
