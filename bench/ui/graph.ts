import { Graph, graphOf } from '../../test/ui/page/harness/graph.ts';
import { report } from '../measure.ts';
import { inPage, percentile } from './pages.ts';

const COUNT = 10_000;

/** A retry at every fourth message: a conversation with thousands of branches. */
const parents = Array.from({ length: COUNT }, (_, index) => (index % 4 === 3 ? index - 2 : index - 1));

/** The graph of 10,000 messages: how soon it is there, and what a frame costs while one moves through it. */
export async function measureGraph(): Promise<void> {
  await inPage({ width: 900, height: 700 }, async (page, origin) => {
    const graph = await Graph.open(page, origin);
    const time = await graph.page.evaluate<number>(`new Promise((resolve) => {
      const data = ${JSON.stringify(graphOf(parents))};
      const start = performance.now();
      dispatchEvent(new MessageEvent('message', { data }));
      const look = () => {
        if (!document.querySelector('.graph-row')) return requestAnimationFrame(look);
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - start);
        port2.postMessage(undefined);
      };
      requestAnimationFrame(look);
    })`);
    report('the graph of 10,000 messages, from what the host tells to the paint', time, 200, 'ms');
    await graph.answer((id) => `What ${id} says`);
    await measureFrames(graph, 'stands still', 'void 0');
    await measureFrames(
      graph,
      'is panned',
      `{ const to = direction(); scroller.scrollTop += 120 * to; scroller.scrollLeft += 10 * to; }`,
    );
    await measureFrames(
      graph,
      'is zoomed',
      `scroller.dispatchEvent(new WheelEvent('wheel', { ctrlKey: true, deltaY: 25 * direction(), clientX: 300, clientY: 300, cancelable: true }));`,
    );
  });
}

/** What each frame costs the page's thread while something is done in each: what is done, and all until it is painted. */
async function measureFrames(graph: Graph, what: string, act: string): Promise<void> {
  const frames = await graph.page.evaluate<number[]>(`new Promise((resolve) => {
    const scroller = document.querySelector('.graph-scroller');
    const frames = [];
    let count = 0;
    // There and back, again and again.
    const direction = () => (Math.floor(count / 40) % 2 === 0 ? -1 : 1);
    const frame = () => {
      const start = performance.now();
      ${act}
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => frames.push(performance.now() - start);
      port2.postMessage(undefined);
      count += 1;
      if (count < 240) requestAnimationFrame(frame);
      else setTimeout(() => resolve(frames), 50);
    };
    requestAnimationFrame(frame);
  })`);
  report(
    `a frame while the graph of 10,000 messages ${what}, 95 % of them`,
    percentile(frames, 0.95),
    16,
    'ms',
    `the middle ${percentile(frames, 0.5).toFixed(1)} ms, the worst ${Math.max(...frames).toFixed(1)} ms`,
  );
}
