import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { until } from '../../fixtures/until.ts';
import { root } from '../support/host.ts';
import { applyTheme, type Chat } from './harness/chat.ts';
import { conversation, turns } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';

describe('a chat that opens', () => {
  const use = useChat({ ownProcess: true });
  const shown = (text: string): Promise<unknown> =>
    until(async () => (await use().input.inputValue()) === text, `“${text}” in the input`);

  /** Reloads the page, up to where nothing but its document is there. */
  const holdBack = async ({ page }: Chat, files: string): Promise<() => void> => {
    const gate = Promise.withResolvers<undefined>();
    let isAsked = false;
    await page.route(files, async (route) => {
      isAsked = true;
      await gate.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await until(() => isAsked, 'the page to ask for its files');
    return () => gate.resolve(undefined);
  };
  const box = (page: Page): Promise<string> =>
    page
      .locator('.composer')
      .evaluate((element: { getBoundingClientRect(): { toJSON(): object } }) =>
        JSON.stringify(element.getBoundingClientRect().toJSON()),
      );

  it('takes words before its script and its styles are there, and keeps the caret where it was', async () => {
    const chat = use();
    const release = await holdBack(chat, '**/main.*');
    await chat.input.click();
    await chat.page.keyboard.type('What is  tree?');
    for (const _letter of ' tree?') await chat.page.keyboard.press('ArrowLeft');
    release();
    await chat.loaded();
    await chat.page.keyboard.type('a');
    await shown('What is a tree?');
    await chat.show(conversation(turns(2)));
    await chat.button('Send').waitFor();
    await shown('What is a tree?');
    await chat.input.press('Enter');
    assert.equal((await chat.expect('sendMessage')).text, 'What is a tree?');
  });

  const PAINTED_AT_ONCE = `globalThis.PerformanceObserver = class {
    constructor(notify) { this.notify = notify; }
    observe() { queueMicrotask(() => this.notify()); }
    disconnect() {}
  }`;
  for (const [when, script] of [
    ['', ''],
    [', also when it is painted before it has loaded', PAINTED_AT_ONCE],
  ] as const) {
    it(`has loaded, and has the keyboard in its input, before the rest of it has come${when}`, async () => {
      const chat = use();
      await chat.page.addInitScript(script);
      const release = await holdBack(chat, '**/main.*');
      // Until then VS Code hides it.
      await chat.page.waitForLoadState('load');
      await until(
        () => chat.page.evaluate<boolean>("document.activeElement.matches('textarea')"),
        'the keyboard in the input',
      );
      await chat.page.keyboard.type('at once');
      release();
      await chat.loaded();
      await shown('at once');
    });
  }

  it('asks for its content at once, and draws what came before its script', async () => {
    const chat = use();
    const release = await holdBack(chat, '**/main.js');
    await chat.expect('ready');
    await chat.show(conversation(turns(2)));
    await chat.tell({ type: 'composerFilled', text: 'And a draft.', attachments: [] });
    release();
    await chat.loaded();
    assert.equal(await chat.messages.count(), 2);
    await shown('And a draft.');
    assert.deepEqual(
      (await chat.sent()).filter(({ type }) => type === 'ready'),
      [{ type: 'ready' }],
    );
  });

  it('goes on after the draft and what was typed, where both came before its script', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.fill('half a question');
    const release = await holdBack(chat, '**/main.js');
    await chat.input.click();
    await chat.page.keyboard.type('typed ');
    await chat.show(conversation(turns(2)));
    release();
    await chat.loaded();
    await chat.page.keyboard.type('at once');
    await shown('half a question\n\ntyped at once');
  });

  it('fetches what its script imports beside it', async () => {
    const chat = use();
    const asked = new Set<string>();
    chat.page.on('request', (request) => asked.add(path.basename(request.url())));
    const release = await holdBack(chat, '**/main.js');
    const script = await readFile(path.join(root, 'dist', 'webview', 'main.js'), 'utf8');
    const imported = [...script.matchAll(/^\} from "\.\/([\w-]+\.js)"/gm)].map(([, name = '']) => name);
    assert.ok(imported.length > 0);
    await until(() => imported.every((name) => asked.has(name)), imported.join(', '));
    release();
    await chat.loaded();
  });

  it('is there though its styles cannot be had', async () => {
    const chat = use();
    await chat.page.route('**/main.css', (route) => route.abort());
    await chat.page.reload();
    await chat.loaded();
    await chat.show(conversation(turns(2)));
    await chat.button('Send').waitFor();
  });

  it('is there though it is not told that its document has loaded', async () => {
    const chat = use();
    await chat.page.addInitScript(
      "addEventListener('load', (event) => event.stopImmediatePropagation(), { capture: true })",
    );
    await chat.page.reload();
    await chat.loaded();
  });

  it('stands still while its styles, its script and its conversation come', async () => {
    const chat = use();
    const release = await holdBack(chat, '**/main.*');
    // In VS Code the theme is there before the page.
    await chat.page.evaluate(applyTheme('Default Dark Modern'));
    const before = await box(chat.page);
    release();
    await chat.loaded();
    assert.equal(await box(chat.page), before);
    await chat.show(conversation(turns(2)));
    await chat.button('Send').waitFor();
    assert.equal(await box(chat.page), before);
  });

  it('sends what was to be sent once it is known where to', async () => {
    const chat = use();
    const release = await holdBack(chat, '**/main.*');
    release();
    await chat.loaded();
    await chat.input.fill('What is a tree?');
    await chat.input.press('Enter');
    await shown('What is a tree?');
    await chat.show(conversation(turns(2)));
    assert.equal((await chat.expect('sendMessage')).text, 'What is a tree?');
    await shown('');
  });

  it('sends nothing that something else came to, and adds what was typed to what was there', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.input.fill('from before');
    const release = await holdBack(chat, '**/main.*');
    await chat.input.fill('and more');
    release();
    await chat.loaded();
    await chat.input.press('Enter');
    await chat.show(conversation(turns(2)));
    await shown('from before\n\nand more');
    assert.equal((await chat.sent()).filter(({ type }) => type === 'sendMessage').length, 0);
  });

  it('gives the keyboard to the input when it comes to nothing else', async () => {
    const chat = use();
    await chat.show(conversation(turns(2)));
    await chat.page.evaluate('document.activeElement.blur(); dispatchEvent(new FocusEvent("focus"))');
    await chat.page.keyboard.type('typed at once');
    await shown('typed at once');
  });
});
