import { conversation, question, streaming, turns } from '../../test/ui/page/harness/conversations.ts';
import { Chat } from '../../test/ui/page/harness/chat.ts';
import { until } from '../../test/fixtures/until.ts';
import { report } from '../measure.ts';
import { inPage, percentile } from './pages.ts';

/** The page gets this many messages of a chat, however long that is. */
const WINDOW = 50;

const LONG = 10_000;

export async function measurePage(): Promise<void> {
  for (const measure of [stream, memory]) {
    await inPage({ width: 400, height: 800 }, async (page, origin) => measure(await Chat.open(page, origin)));
  }
}

/** An answer with what answers have: words, code, a formula, a table, names of files. */
function longAnswer(): string {
  return Array.from({ length: 60 }, (_, index) =>
    [
      `## Part ${index}`,
      'It goes **on** and on, with `code`, [links](https://example.com) and `src/file.ts:12`, as answers do.',
      `\`\`\`ts\n${`export const value${index} = compute(${index}, 'text');\n`.repeat(6)}\`\`\``,
      `So $x_{${index}}^2$ it is.`,
      `| a | b |\n| - | - |\n| ${index} | some words |`,
    ].join('\n\n'),
  ).join('\n\n');
}

/**
 * What each frame costs the page's thread, while 2,000 tokens of four characters come each second, told as the host
 * tells them: what is handled before the frame, and what is done in it until it is painted.
 */
async function stream(chat: Chat): Promise<void> {
  await chat.show(
    conversation([...turns(WINDOW, LONG - WINDOW), question('q', 'why?')], {
      messageCount: LONG,
      running: streaming('a'),
    }),
  );
  const frames = async (text: string): Promise<number[]> =>
    chat.page.evaluate<number[]>(`new Promise((resolve) => {
      const text = ${JSON.stringify(text)};
      const frames = [];
      const end = performance.now() + 4_000;
      let offset = 0, handled = 0, last = performance.now();
      const timer = setInterval(() => {
        const now = performance.now();
        const more = text.slice(offset, offset + Math.round((now - last) * 8));
        last = now;
        if (more === '') return;
        const data = { type: 'answerDelta', branch: 'main', messageId: 'a', partIndex: 0, part: { type: 'text', text: more }, offset };
        offset += more.length;
        dispatchEvent(new MessageEvent('message', { data }));
        handled += performance.now() - now;
      }, 16);
      const frame = () => {
        const start = performance.now();
        const before = handled;
        handled = 0;
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => frames.push(before + performance.now() - start);
        port2.postMessage(undefined);
        if (performance.now() < end) requestAnimationFrame(frame);
        else { clearInterval(timer); setTimeout(() => resolve(frames), 50); }
      };
      requestAnimationFrame(frame);
    })`);
  const still = percentile(await frames(''), 0.95);
  const streamed = await frames(longAnswer());
  report(
    'a frame while 2,000 tokens a second stream, 95 % of them',
    percentile(streamed, 0.95),
    16,
    'ms',
    `${still.toFixed(2)} ms when nothing comes, the worst ${Math.max(...streamed).toFixed(1)} ms, ${streamed.length} frames`,
  );
}

/** What the page holds: for a long chat against a short one, and after a long way up and back. */
async function memory(chat: Chat): Promise<void> {
  const session = await chat.page.context().newCDPSession(chat.page);
  const used = async (): Promise<{ heap: number; nodes: number }> => {
    await chat.page.evaluate('new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)))');
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    const valueOf = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heap: valueOf('JSHeapUsedSize'), nodes: valueOf('Nodes') };
  };
  await chat.show(conversation(turns(WINDOW), { messageCount: WINDOW }));
  const short = await used();
  await chat.show(
    conversation(turns(WINDOW, LONG - WINDOW), { messageCount: LONG, branch: 'long', branchCount: 2 }),
  );
  const long = await used();
  report(
    'memory of the page with a chat of 10,000 messages against one of 50',
    long.heap / short.heap,
    1.2,
    '×',
  );
  await chat.answerEarlier(turns(LONG));
  const readUp = (count: number): Promise<boolean> =>
    until(
      () =>
        chat.page.evaluate<boolean>(`(() => {
          document.querySelector('.scroller').scrollTop = 0;
          return document.querySelector('[data-message-id="m${LONG - count}"]') !== null;
        })()`),
      `${count} messages to be read`,
      120_000,
    );
  const goBack = async (): Promise<void> => {
    await chat.button('Jump to latest').click();
    await chat.page.getByText(`Answer m${LONG - 1}:`).waitFor();
  };
  // What runs for the first time is compiled and stays: that is no weight of messages.
  await readUp(300);
  await goBack();
  const before = await used();
  await readUp(2_000);
  const up = await used();
  const perMessage = (up.heap - before.heap) / 2_000 / 1_024;
  report(
    'memory after reading 2,000 messages up, against before',
    up.heap / before.heap,
    1.2,
    '×',
    `${perMessage.toFixed(1)} KB for each, ${up.nodes} nodes`,
  );
  await goBack();
  const back = await used();
  report(
    'memory once back at the end, against before',
    back.heap / before.heap,
    1.2,
    '×',
    `${back.nodes} nodes`,
  );
}
