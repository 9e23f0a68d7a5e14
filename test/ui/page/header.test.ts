import assert from 'node:assert/strict';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

const usage = { inputTokens: 12_400, cachedTokens: 9_800, outputTokens: 1_340, cost: 0.0342 };
const messages = [question('q', 'What is a closure?'), answer('a', 'It keeps what it needs.', { usage })];

async function measure(chat: Chat, tokens: number, window?: number, branch = 'main'): Promise<void> {
  const context = { tokens, ...(window === undefined ? {} : { window }) };
  await chat.tell({ type: 'contextMeasured', chatId: 'chat-1', branch, context });
  await chat.frame();
}

describe('the header of the chat', () => {
  const use = useChat({ viewport: { width: 240, height: 700 } });

  const ring = (chat: Chat) => chat.page.locator('.header .usage-ring');
  const lines = async (chat: Chat): Promise<string[]> =>
    ((await ring(chat).getAttribute('aria-label')) ?? '').split('\n');

  it('has a ring for the context window, with the numbers and both costs in its name and tooltip', async () => {
    const chat = use();
    await chat.show(conversation(messages, { usage, chatUsage: { ...usage, cost: 0.25 } }));
    await measure(chat, 12_400, 200_000);
    assert.deepEqual(await lines(chat), [
      'Context: 12,400 of 200,000 tokens (6%)',
      'Responses on this path: 12,400 input tokens, 1,340 output tokens, 9,800 in from cache',
      'Cost of this path: $0.0342 (estimate)',
      'Cost of the whole chat: $0.25 (estimate)',
    ]);
    assert.equal(await ring(chat).getAttribute('title'), await ring(chat).getAttribute('aria-label'));
    assert.equal(
      await chat.page.locator('.ring-taken').getAttribute('stroke-dasharray'),
      `${(12_400 / 200_000) * 100} 100`,
    );
    assert.doesNotMatch(await chat.page.locator('.header').innerText(), /[$\d]/);
    await ring(chat).click();
    assert.deepEqual(await chat.expect('showContext'), { type: 'showContext' });
  });

  it('says what the next request takes and what is left of the budget, before the costs so far', async () => {
    const chat = use();
    await chat.show(conversation(messages, { usage }));
    const price = ['Next request: about $0.02 for input', 'Budget: $1.20 of $5 left today'];
    const context = { tokens: 12_400, window: 200_000, price };
    await chat.tell({ type: 'contextMeasured', chatId: 'chat-1', branch: 'main', context });
    await chat.frame();
    const [size, ...rest] = await lines(chat);
    assert.match(size ?? '', /^Context: 12,400/u);
    assert.deepEqual(rest.slice(0, 2), price);
    assert.match(rest[2] ?? '', /^Responses on this path/u);
  });

  it('warns where the context window is nearly full, and says where its size is unknown', async () => {
    const chat = use();
    await chat.show(conversation(messages));
    await measure(chat, 170_000, 200_000);
    assert.match((await ring(chat).getAttribute('class')) ?? '', /nearly-full/);
    await measure(chat, 170_000);
    assert.deepEqual(await lines(chat), ['Context: 170,000 tokens (size of the context window unknown)']);
    assert.equal(await chat.page.locator('.ring-taken').count(), 0);
  });

  it('says nothing of a context that was measured on another branch', async () => {
    const chat = use();
    await chat.show(conversation(messages, { usage }));
    await measure(chat, 5_000, 10_000, 'main-v2');
    assert.equal(
      (await lines(chat)).some((line) => line.startsWith('Context')),
      false,
    );
    await measure(chat, 5_000, 10_000);
    assert.equal((await lines(chat))[0], 'Context: 5,000 of 10,000 tokens (50%)');
  });

  it('begins with the title, which has at least half of the room', async () => {
    const chat = use();
    const long = 'a title that is far too long for the width of a narrow side bar';
    await chat.show(
      conversation(messages, {
        chat: { id: 'chat-1', title: long },
        branchLabel: long,
        branchCount: 12,
        usage,
      }),
    );
    await measure(chat, 5_000, 10_000);
    const header = chat.page.locator('.header');
    const tooltip = await header.locator('.branch-button').getAttribute('title');
    assert.equal(tooltip, `Switch branch: ${long} (main)`, 'it tells what there is no room for');
    const title = await header.locator('.chat-title').boundingBox();
    const branch = await header.locator('.branch-button').boundingBox();
    const all = await header.boundingBox();
    assert.ok(title && branch && all);
    assert.ok(title.x < branch.x);
    assert.ok(title.width >= all.width * 0.45, `${title.width} of ${all.width}`);
    const end = await ring(chat).boundingBox();
    assert.ok(end && end.x + end.width <= all.x + all.width);
  });

  it('lets no part cover another one, in side bars as narrow as VS Code has them', async () => {
    const chat = use();
    await chat.show(conversation(messages, { branchCount: 12, usage }));
    await measure(chat, 5_000, 10_000);
    for (const width of [170, 180, 200, 220, 240]) {
      await chat.page.setViewportSize({ width, height: 700 });
      const covering = await chat.page.evaluate<string[]>(`(() => {
        const parts = [...document.querySelectorAll('.chat-title, .branch-count, .header .icon-button, .usage-ring')];
        const boxes = parts.map((part) => [part.className, part.getBoundingClientRect()]);
        return boxes.flatMap(([name, box], index) => boxes.slice(index + 1)
          .filter(([, other]) => box.right > other.left && other.right > box.left && box.bottom > other.top && other.bottom > box.top)
          .map(([other]) => name + ' and ' + other));
      })()`);
      assert.deepEqual(covering, [], `${width} pixels`);
    }
  });
});
