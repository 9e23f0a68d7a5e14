import type * as Engine from '../../src/sdk/index.ts';
import { until } from '../../test/fixtures/until.ts';
import type { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, tell } from '../measure.ts';
import { EMPTY_VIEW, withEmptyExtension } from './emptyExtension.ts';
import { openFilled } from './filled.ts';

const RUNS = 7;

/** How long VS Code has been let alone before the chat is opened, in milliseconds: it has its own to do at first. */
const QUIET_MS = 1_500;

/**
 * The first view of the chat in a window that has not had it: from the click on its icon until one can type, activation
 * included, beside the same of a view that has nothing but an input.
 */
export async function measureFirstView(): Promise<void> {
  await withEmptyExtension(async (folder) => {
    const workbench = await openFilled(fill, { linked: [folder] });
    try {
      const ours: number[] = [];
      const empty: number[] = [];
      while (ours.length < RUNS) {
        ours.push(await timeToFirstView(workbench, 'Offshoot'));
        empty.push(await timeToFirstView(workbench, EMPTY_VIEW));
      }
      const added = ours.map((time, run) => time - (empty[run] ?? 0));
      tell(
        'the first view of the chat in a window until one can type, more than that of an empty page',
        middle(added),
        'ms',
        `ours ${middle(ours).toFixed(0)} ms, the least ${Math.min(...ours).toFixed(0)}; the empty one ${middle(empty).toFixed(0)} ms, the least ${Math.min(...empty).toFixed(0)}`,
      );
    } finally {
      await workbench.close();
    }
  });
}

async function fill(
  store: Engine.SqliteContextStore,
  { ContextEngine, assistant, user }: typeof Engine,
): Promise<void> {
  const engine = new ContextEngine({ store, chatId: 'talk', userId: 'local' });
  for (let index = 0; index < 10; index++) {
    engine.set(user(`question ${index}`), assistant(`answer ${index}`));
  }
  await engine.save();
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

/** @param title of the item in the activity bar */
async function timeToFirstView(workbench: Workbench, title: string): Promise<number> {
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
  await page.locator(`.activitybar a.action-label[aria-label^="${title}"]`).click();
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
