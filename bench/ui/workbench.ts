import type { Frame } from 'playwright-core';
import type * as Engine from '../../src/sdk/index.ts';
import type { Workbench } from '../../test/ui/support/workbench.ts';
import { middle, report } from '../measure.ts';
import { openFilled } from './filled.ts';

const LONG = 10_000;
const SHORT = 20;
const RUNS = 7;

/** Opening chats and switching branches, from the click to what is painted. */
export async function measureWorkbench(): Promise<void> {
  const workbench = await openFilled(fill);
  try {
    await switching(workbench);
    await opening(workbench);
  } finally {
    await workbench.close();
  }
}

/** A long chat with two branches, and a short one. */
async function fill(
  store: Engine.SqliteContextStore,
  { ContextEngine, assistant, user }: typeof Engine,
): Promise<void> {
  for (const [name, count] of [
    ['short', SHORT],
    ['long', LONG],
  ] as const) {
    const engine = new ContextEngine({ store, chatId: name, userId: 'local' });
    for (let index = 0; index < count; index++) {
      const text = `Message ${index} of the ${name} chat, with some **words** and \`code\`.`;
      engine.set(index % 2 === 0 ? user(text) : assistant(text));
    }
    engine.set(assistant(`The end of the ${name} chat`));
    const { headMessageId } = await engine.save();
    await store.updateChat(name, { title: `The ${name} chat` });
    if (name === 'short' || headMessageId === undefined) continue;
    await engine.rewind(headMessageId);
    await engine.set(user('and then?'), assistant('The end of the other branch')).save();
  }
}

/** The milliseconds from the next press of a key or the mouse to the frame in which the page shows a text. */
async function timeToShow(workbench: Workbench, text: string, act: () => Promise<void>): Promise<number> {
  const frame = await chatFrame(workbench.page.frames());
  await workbench.page.evaluate(`{
    window.pressed = undefined;
    const press = (event) => {
      if (event.type === 'keydown' && event.key !== 'Enter') return;
      window.pressed = Date.now() - (performance.now() - event.timeStamp);
    };
    for (const kind of ['mousedown', 'keydown']) {
      removeEventListener(kind, window.press, true);
      addEventListener(kind, press, true);
    }
    window.press = press;
  }`);
  const shown = frame.evaluate<number>(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('Waited in vain for: ' + ${JSON.stringify(text)})), 30_000);
    const look = () => {
      const last = [...document.querySelectorAll('.message')].at(-1);
      if (!last?.textContent.includes(${JSON.stringify(text)})) return requestAnimationFrame(look);
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage(undefined);
    };
    requestAnimationFrame(look);
  })`);
  await act();
  const end = await shown;
  return end - (await workbench.page.evaluate<number>('window.pressed'));
}

async function switching(workbench: Workbench): Promise<void> {
  await open(workbench, 'long');
  // Until it is expanded, the branch of another chat is the first that is called so.
  await workbench.tree.marks('and then?');
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    times.push(await timeToShow(workbench, 'The end of the long chat', () => workbench.tree.click('main')));
    times.push(
      await timeToShow(workbench, 'The end of the other branch', () => workbench.tree.click('and then?')),
    );
  }
  report(
    'switching branches in a chat of 10,000 messages, from the click to the paint',
    middle(times),
    100,
    'ms',
    `the longest ${Math.max(...times).toFixed(0)} ms`,
  );
  await workbench.tree.click('main');
}

async function open(workbench: Workbench, name: string): Promise<void> {
  await workbench.runCommand('offshoot.openChat');
  await workbench.quickInput.choose(`The ${name} chat`);
}

async function opening(workbench: Workbench): Promise<void> {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const short = await timeToShow(workbench, 'The end of the short chat', () => open(workbench, 'short'));
    const long = await timeToShow(workbench, 'The end of the long chat', () => open(workbench, 'long'));
    times.push(long);
    ratios.push(long / short);
  }
  report(
    'opening a chat of 10,000 messages against one of 20',
    middle(ratios),
    1.2,
    '×',
    `${middle(times).toFixed(0)} ms`,
  );
}

async function chatFrame(frames: readonly Frame[]): Promise<Frame> {
  for (const frame of frames) {
    if (await frame.evaluate<boolean>("document.querySelector('main.page') !== null")) return frame;
  }
  throw new Error('The chat page is not there.');
}
