import assert from 'node:assert/strict';
import type { MessageView } from '../../../src/protocol/views.ts';
import { until } from '../../fixtures/until.ts';
import type { Chat } from './harness/chat.ts';
import { answer, conversation, question, streaming } from './harness/conversations.ts';
import { line } from './harness/growingAnswer.ts';
import { useChat } from './harness/useChat.ts';

const code = `\`\`\`ts\n${Array.from({ length: 60 }, (_, at) => `export const value${at} = compute(${at}, 'text');`).join('\n')}\n\`\`\``;
const table = `| a | b |\n| - | - |\n${'| some words | more of them |\n'.repeat(12)}`;
const formula = '$$\\int_0^1 \\frac{x^2}{\\sqrt{1 + x^2}}\\,dx$$';
const words = 'Some words of an answer that is long enough to take several lines in a narrow view. '.repeat(
  4,
);
/** How long the host takes for messages, and for pictures, which then come while they are near and out of view. */
const LATE_FRAMES = 20;
const PICTURE_FRAMES = 3;

/** A paragraph with a picture that the host is asked for. */
const chart = (at: number): string => `Chart: ![chart](artifact:${at}.png) of it`;
const kinds = [code, table, formula, words];

/** Questions and answers with all that messages have, of very different heights. */
const all: readonly MessageView[] = Array.from({ length: 300 }, (_, at) => {
  const id = `m${at}`;
  const hash = at.toString(16).padStart(64, '0');
  const text = { type: 'text' as const, text: `Question ${id}: how does this work?` };
  if (at % 2 === 0) {
    return question(
      id,
      text.text,
      at % 6 === 0 ? { parts: [text, { type: 'image', name: 'Picture', hash, mediaType: 'image/png' }] } : {},
    );
  }
  const parts = [words, kinds[(at >> 1) % 4], chart(at), kinds[(at >> 2) % 4]];
  return answer(id, parts.join('\n\n'));
});

/** In the page: measures what is read, and plays a host that is slow and has an answer grow with each frame. */
const script = `{
  const first = () => {
    const view = document.querySelector('.scroller').getBoundingClientRect();
    let partly;
    for (const each of document.querySelectorAll('.message :is(p, pre, tr, .katex-display)')) {
      const { top, bottom } = each.getBoundingClientRect();
      if (bottom <= view.top + 1 || top >= view.bottom) continue;
      if (top >= view.top) return each;
      partly ??= each;
    }
    return partly;
  };
  let read, top, sum = 0;
  const measure = () => {
    if (read) sum += read.isConnected ? top - read.getBoundingClientRect().top : NaN;
    read = first();
    top = read?.getBoundingClientRect().top;
  };
  const measureFrames = () => {
    measure();
    requestAnimationFrame(measureFrames);
  };
  // Between a step and a picture that comes into view with it.
  const { decode } = HTMLImageElement.prototype;
  HTMLImageElement.prototype.decode = function () {
    return decode.call(this).finally(measure);
  };
  window.takeMoved = () => {
    measure();
    const moved = sum;
    sum = 0;
    return moved;
  };
  const frames = async (count) => {
    for (let at = 0; at < count; at++) await new Promise(requestAnimationFrame);
  };
  window.playSlowHost = (text) => {
    const { answerEarlier } = window;
    window.answerEarlier = async (asked) => {
      await frames(${LATE_FRAMES});
      return answerEarlier(asked);
    };
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [50, 150];
    const replyTo = (type) => {
      // No picture is like another.
      canvas.width++;
      const address = canvas.toDataURL();
      if (type === 'loadPicture') return { address };
      if (type === 'loadImage') return { mediaType: 'image/png', data: address.split(',')[1] };
    };
    measureFrames();
    let seen = 0, grown = 0;
    const play = async () => {
      for (const { messageId, body } of window.sent.slice(seen)) {
        const reply = replyTo(body?.type);
        if (reply)
          void frames(${PICTURE_FRAMES}).then(() => postMessage({ type: 'reply', inReplyTo: messageId, body: reply }, '*'));
      }
      seen = window.sent.length;
      postMessage({ type: 'answerDelta', chatId: 'chat-1', branch: 'main', messageId: 'a', partIndex: 0,
        part: { type: 'text', text }, offset: grown++ * text.length }, '*');
      requestAnimationFrame(play);
    };
    void play();
  };
}`;

/** Turns the wheel. @returns by how much the wrong steps moved what was read */
async function turnWheel(chat: Chat, by: number, times: number): Promise<string[]> {
  const settled = (): Promise<number> =>
    chat.page.evaluate<number>(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(takeMoved())))))',
    );
  const faults: string[] = [];
  await settled();
  for (let step = 0; step < times; step++) {
    await chat.page.mouse.wheel(0, by);
    const moved = await settled();
    if (!(Math.abs(moved - by) <= 1)) faults.push(`step ${step}: ${moved}`);
  }
  return faults;
}

for (const width of [240, 400, 800]) {
  describe(`the wheel at a width of ${width} pixels`, () => {
    const use = useChat({ viewport: { width, height: 700 }, script });

    it('moves what is read by its step, while an answer grows and pictures come late', async () => {
      const chat = use();
      await chat.answerEarlier(all);
      await chat.show(conversation(all.slice(280), { messageCount: 301, running: streaming('a') }));
      await chat.page.evaluate(`playSlowHost(${JSON.stringify(line)})`);
      await chat.scroller.hover();
      // The end is followed until then.
      await chat.page.mouse.wheel(0, -100);
      await chat.button('Jump to latest').waitFor();
      assert.deepEqual(await turnWheel(chat, -480, 24), [], 'up');
      assert.deepEqual(await turnWheel(chat, 480, 8), [], 'down');
    });
  });
}

/** In the page: looks at the next picture as soon as it is in the document, where the browser has not read it yet. */
const lookAtNext = `new MutationObserver((_, observer) => {
  const picture = document.querySelector('.message img[src]');
  if (!picture) return;
  observer.disconnect();
  window.firstLook = { isRead: picture.complete, height: picture.getBoundingClientRect().height };
}).observe(document.body, { childList: true, subtree: true, attributes: true })`;

/** The browser drops what it has read, as it does where memory is short. */
async function dropPictures(chat: Chat): Promise<void> {
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Network.setCacheDisabled', { cacheDisabled: false });
  await session.detach();
}

describe('a picture that is drawn again', () => {
  const use = useChat({ viewport: { width: 800, height: 700 } });

  it('has its room before the browser has read it once more', async () => {
    const chat = use();
    const far = Array.from({ length: 40 }, (_, at) => answer(`far${at}`, [words, code].join('\n\n')));
    await chat.show(conversation([...far, answer('a', chart(1)), question('q', 'And then?')]));
    const picture = chat.page.locator('[data-message-id="a"] img');
    const address = await chat.page.evaluate<string>(`{
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [50, 150];
      canvas.toDataURL();
    }`);
    await chat.reply('loadPicture', { address });
    const height = (): Promise<number | undefined> => picture.boundingBox().then((box) => box?.height);
    await until(async () => (await height()) === 150, 'the picture to be drawn');
    await chat.page.evaluate("document.querySelector('.scroller').scrollTop = 0");
    await picture.waitFor({ state: 'detached' });
    await dropPictures(chat);
    await chat.page.evaluate(lookAtNext);
    await chat.page.evaluate("document.querySelector('.scroller').scrollTop = 1e6");
    await picture.waitFor({ state: 'attached' });
    assert.deepEqual(await chat.page.evaluate('firstLook'), { isRead: false, height: 150 });
  });
});

describe('a picture that comes late', () => {
  const use = useChat({ script });

  it('moves nothing that is read, where only the end of its paragraph is in view', async () => {
    const chat = use();
    await chat.show(conversation([answer('a', [words, chart(1), words, code].join('\n\n'))]));
    const asked = await chat.asked('loadPicture');
    const top = (): Promise<number> =>
      chat.page.evaluate<number>("document.querySelector('.code-block').getBoundingClientRect().top");
    await chat.page.evaluate(`{
      const block = document.querySelector('[data-artifact]').closest('.block');
      const scroller = document.querySelector('.scroller');
      scroller.scrollTop += block.getBoundingClientRect().bottom - scroller.getBoundingClientRect().top - 4;
    }`);
    await chat.frame();
    const before = await top();
    const address = await chat.page.evaluate<string>("document.createElement('canvas').toDataURL()");
    await chat.tell({ type: 'reply', inReplyTo: asked.messageId, body: { address } });
    await chat.page.locator('.message img[src]').waitFor();
    await chat.frame();
    assert.ok(Math.abs((await top()) - before) < 1, `${before}, ${await top()}`);
  });
});
