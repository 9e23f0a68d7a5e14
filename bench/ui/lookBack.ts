import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import type * as Engine from '../../src/sdk/index.ts';
import type { Workbench } from '../../test/ui/support/workbench.ts';
import { ChatPage } from '../../test/ui/support/chatPage.ts';
import { middle, report } from '../measure.ts';
import { openFilled } from './filled.ts';

const MESSAGES = 1_000;
const LINES = 400;
const FILE = 'looked-at.txt';
const RUNS = 30;

/** Moving along a path of 1,000 messages, each second of which changed a file: from the key to the editor's text. */
export async function measureLookBack(): Promise<void> {
  const workbench = await openFilled(fill);
  try {
    await workbench.runCommand('offshoot.openChat');
    await workbench.quickInput.choose('The long chat');
    await workbench.runCommand('workbench.action.quickOpen');
    await workbench.quickInput.type(FILE);
    await workbench.quickInput.choose(FILE);
    const chat = new ChatPage(workbench);
    await chat.frame.getByRole('button', { name: 'Look back along this branch' }).click();
    const slider = chat.frame.getByRole('slider', { name: 'Point of this branch' });
    await noteKeys(slider);
    await slider.press('ArrowLeft');
    await slider.press('ArrowLeft');
    await untilShown(workbench, lineAt(MESSAGES - 3));
    const times: number[] = [];
    for (let run = 1; run <= RUNS; run++) {
      // A question changes nothing.
      await slider.press('ArrowLeft');
      const shown = untilShown(workbench, lineAt(MESSAGES - 3 - 2 * run));
      await slider.press('ArrowLeft');
      times.push((await shown) - (await pressedAt(slider)));
    }
    report('a step along a path of 1,000 messages, from the key to the editor', middle(times), 50, 'ms');
  } finally {
    await workbench.close();
  }
}

const lineAt = (place: number): string => `after message ${place}`;

const textAt = (place: number): string =>
  [lineAt(place), ...Array.from({ length: LINES }, (_, line) => `line ${line}`)].join('\n');

async function fill(
  store: Engine.SqliteContextStore,
  { ContextEngine, assistant, user }: typeof Engine,
  folder: string,
): Promise<void> {
  const engine = new ContextEngine({ store, chatId: 'long', userId: 'local' });
  const version = async (place: number) => {
    const bytes = new TextEncoder().encode(textAt(place));
    return { hash: await store.blobs.put(bytes), size: bytes.byteLength };
  };
  let before = null;
  for (let place = 1; place < MESSAGES; place += 2) {
    const after = await version(place);
    const change = { folder: pathToFileURL(folder).href, path: FILE, before, after, at: place };
    engine.files.add(change);
    await engine.set(user(`Question ${place}`), assistant(`Changed by ${place}.`)).save();
    before = after;
  }
  await engine.close();
  await store.updateChat('long', { title: 'The long chat' });
  await writeFile(path.join(folder, FILE), textAt(MESSAGES - 1));
}

/** The test's own way to press a key takes longer than the step: what counts begins where the page gets the key. */
function noteKeys(slider: Locator): Promise<void> {
  return slider.evaluate((element) => {
    element.addEventListener('keydown', ({ timeStamp }) => {
      element.dataset['pressedAt'] = String(performance.timeOrigin + timeStamp);
    });
  });
}

const pressedAt = async (slider: Locator): Promise<number> =>
  Number(await slider.getAttribute('data-pressed-at'));

/** Until an editor has painted a line; when that was, as `noteKeys` counts. */
function untilShown(workbench: Workbench, line: string): Promise<number> {
  const text = JSON.stringify(line.replaceAll(' ', '\u00A0'));
  return workbench.page.evaluate(`new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('Waited in vain for: ' + ${text})), 30_000);
    const look = () => {
      const isShown = [...document.querySelectorAll('.view-line')].some((each) => each.textContent === ${text});
      if (isShown) resolve(performance.timeOrigin + performance.now()); else requestAnimationFrame(look);
    };
    look();
  })`);
}
