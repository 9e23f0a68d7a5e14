import { until } from '../../test/fixtures/until.ts';
import type { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, report } from '../measure.ts';
import { openFilled } from './filled.ts';

const RUNS = 9;

/** How long VS Code has been let alone before the chat is opened, in milliseconds: it has its own to do at first. */
const QUIET_MS = 1_500;

/**
 * The first view of the chat in a window that has not had it: from the click on its icon until one can type, the
 * activation of the extension included. The conversations have been there before.
 */
export async function measureFirstView(): Promise<void> {
  const workbench = await openFilled(async (store, { ContextEngine, assistant, user }) => {
    const engine = new ContextEngine({ store, chatId: 'talk', userId: 'local' });
    for (let index = 0; index < 10; index++)
      engine.set(user(`question ${index}`), assistant(`answer ${index}`));
    await engine.save();
  });
  try {
    const times: number[] = [];
    while (times.length < RUNS) times.push(await timeToFirstView(workbench));
    report(
      'the first view of the chat in a window, from the click to an input to type into',
      middle(times),
      1_000,
      'ms',
      `from ${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`,
    );
  } finally {
    await workbench.close();
  }
}

/** When the frame first showed the input of the chat; asking anew keeps watch in a document that took another's place. */
const usableAt = `(() => {
  const look = () => {
    window.lookedAt = performance.now();
    if (document.querySelector('main.page textarea') === null) return void setTimeout(look, 4);
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (window.usableAt ??= performance.timeOrigin + performance.now());
      port2.postMessage(undefined);
    });
  };
  if (window.usableAt === undefined && !(performance.now() - window.lookedAt < 50)) look();
  return window.usableAt;
})()`;

async function timeToFirstView(workbench: Workbench): Promise<number> {
  const { page } = workbench;
  // The window comes back with what it shows now.
  await page.locator('.activitybar a.action-label[aria-label^="Explorer"]').click();
  const files = page.locator('.explorer-folders-view .monaco-list-row').first();
  await files.waitFor();
  await workbench.reloadByCommand();
  await files.waitFor();
  await page.waitForTimeout(QUIET_MS);
  await page.evaluate(`addEventListener(
    'mousedown',
    ({ timeStamp }) => (window.pressedAt = performance.timeOrigin + timeStamp),
    { capture: true, once: true },
  )`);
  await workbench.activityBarItem.click();
  const end = await until(async () => {
    for (const frame of page.frames()) {
      // A frame may go while it is asked.
      const at = await frame.evaluate<number | undefined>(usableAt).catch(() => undefined);
      if (at !== undefined) return at;
    }
    return undefined;
  }, 'the chat to be shown');
  return end - (await page.evaluate<number>('window.pressedAt'));
}
