import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type * as Engine from '../../src/sdk/index.ts';
import { until } from '../../test/fixtures/until.ts';
import { ChatPage } from '../../test/ui/support/chatPage.ts';
import { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, report, tell } from '../measure.ts';
import { EMPTY_PAGE, withEmptyExtension } from './emptyExtension.ts';
import { openFilled } from './filled.ts';

/** Each reloads the window twice, which takes about four seconds. */
const RUNS = 7;

/** How long VS Code has been let alone before the chat is opened, in milliseconds: it has its own to do at first. */
const QUIET_MS = 3_000;

/**
 * The first view of the chat in a window that has not had it: from the click on its icon until one can type, activation
 * included, against the same of a page that has nothing but an input, in the same place above trees; and until the
 * conversation is there, which was kept by the window before, or comes from the store.
 */
export async function measureFirstView(): Promise<void> {
  await withEmptyExtension([], async (folder) => {
    const workbench = await openFilled(fill, { linked: [folder] });
    try {
      await compare(workbench, 'the first view of the chat in a window', true);
    } finally {
      await workbench.close();
    }
  });
}

/** The same in VS Code without a server, where the extension runs in a worker and comes over the network as a whole. */
export async function measureFirstViewInBrowser(): Promise<void> {
  await withEmptyExtension([], async (folder) => {
    const settings = { 'offshoot.demo.pace': 0 };
    const workbench = await Workbench.open({ web: true, linked: [folder], settings });
    try {
      await workbench.openOffshoot();
      const chat = new ChatPage(workbench);
      for (const question of ['one', 'two', 'three']) await chat.ask(question);
      await compare(workbench, 'the first view of the chat in a browser', false);
    } finally {
      await workbench.close();
    }
  });
}

/** @param isKept whether there is a file for the last conversation */
async function compare(workbench: Workbench, what: string, isKept: boolean): Promise<void> {
  const ours: FirstView[] = [];
  const fromStore: FirstView[] = [];
  const empty: FirstView[] = [];
  while (ours.length < RUNS) {
    if (isKept) {
      fromStore.push(await timeFirstView(workbench, 'Offshoot', '.model-button', forgetLast));
      await until(async () => (await keptIn(workbench)).length > 0, 'the conversation to be kept');
    }
    ours.push(await timeFirstView(workbench, 'Offshoot', '.model-button'));
    empty.push(await timeFirstView(workbench, EMPTY_PAGE, 'textarea'));
  }
  const usable = (views: readonly FirstView[]): number => middle(views.map((view) => view.usable));
  report(
    `${what} until one can type, against an empty page above trees`,
    usable(ours) / usable(empty),
    1.2,
    '×',
    `${usable(ours).toFixed(0)} ms against ${usable(empty).toFixed(0)} ms`,
  );
  const whole = ours.map((view) => view.whole);
  report(
    'until the conversation is there as well',
    middle(whole),
    400,
    'ms',
    `the least ${Math.min(...whole).toFixed(0)} ms`,
  );
  if (isKept) tell('the same where none is kept', middle(fromStore.map((view) => view.whole)), 'ms');
}

/** As before the first start, or after a change that nobody saw. */
async function forgetLast(workbench: Workbench): Promise<void> {
  await Promise.all((await keptIn(workbench)).map((file) => rm(file)));
}

async function keptIn({ dataDir }: Workbench): Promise<string[]> {
  const files = await readdir(dataDir, { recursive: true });
  const kept = files.filter((file) => path.basename(file) === 'last-conversation.jsonl');
  return kept.map((file) => path.join(dataDir, file));
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

/** In milliseconds from the click. */
interface FirstView {
  readonly usable: number;
  readonly whole: number;
}

/**
 * When the frame was first painted with an input, and when it had what `whole` selects. VS Code hides a frame until its
 * document has loaded, so that what is drawn is not yet seen. Asking again watches a document that replaced another.
 */
const watch = (whole: string): string => `(() => {
  const look = () => {
    window.lookedAt = performance.now();
    const [paint] = performance.getEntriesByName('first-paint');
    const isThere = (selector) => paint && document.querySelector('main.page ' + selector) !== null;
    if (isThere('textarea')) window.usableAt ??= performance.timeOrigin + paint.startTime;
    if (isThere('${whole}')) window.wholeAt ??= performance.timeOrigin + performance.now();
    else setTimeout(look, 4);
  };
  if (!window.wholeAt && !(performance.now() - window.lookedAt < 50)) look();
  return window.wholeAt ? { usable: window.usableAt, whole: window.wholeAt } : undefined;
})()`;

/** The window comes back with what it showed, where VS Code had the time to save that. */
async function comeBackWithExplorer(workbench: Workbench): Promise<void> {
  const { page } = workbench;
  const views = page.locator('.part.sidebar .pane-header').first();
  const files = page.locator('.explorer-folders-view');
  do {
    // What was opened just before may come to the front once more.
    await until(async () => {
      if (await files.isVisible()) return true;
      await page.locator('.activitybar .action-item:not(.checked) a[aria-label^="Explorer"]').click();
      return undefined;
    }, 'the files to be shown');
    await workbench.reloadByCommand();
    await views.waitFor();
  } while (!(await files.isVisible()));
  await files.locator('.monaco-list-row').first().waitFor();
}

/**
 * @param title of the item in the activity bar
 * @param whole what is there once nothing more comes
 * @param prepare is called while the extension does not run
 */
async function timeFirstView(
  workbench: Workbench,
  title: string,
  whole: string,
  prepare: (workbench: Workbench) => Promise<void> = () => Promise.resolve(),
): Promise<FirstView> {
  const { page } = workbench;
  await comeBackWithExplorer(workbench);
  await prepare(workbench);
  await page.waitForTimeout(QUIET_MS);
  await page.evaluate(`addEventListener(
    'mousedown',
    ({ timeStamp }) => (window.pressedAt = performance.timeOrigin + timeStamp),
    { capture: true, once: true },
  )`);
  await page.locator(`.activitybar a.action-label[aria-label^="${title}"]`).click();
  const { usable, whole: all } = await until(async () => {
    for (const frame of page.frames()) {
      // A frame may go while it is asked.
      const view = await frame.evaluate<FirstView | undefined>(watch(whole)).catch(() => undefined);
      if (view) return view;
    }
    return undefined;
  }, 'the chat to be shown');
  const pressed = await page.evaluate<number>('window.pressedAt');
  return { usable: usable - pressed, whole: all - pressed };
}
