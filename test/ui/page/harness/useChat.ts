import assert from 'node:assert/strict';
import { loadHost } from '../../support/host.ts';
import { Chat, type ThemeName } from './chat.ts';
import { PageServer } from './server.ts';

export interface ChatOptions {
  readonly theme?: ThemeName;
  readonly viewport?: { width: number; height: number };
  /** Answers side by side instead of the conversation. */
  readonly tries?: boolean;
}

/** Opens the page anew for each test of the enclosing `describe`; a fault in the page fails the test. */
export function useChat({ theme, viewport, tries = false }: ChatOptions = {}): () => Chat {
  let server: PageServer | undefined;
  let chat: Chat | undefined;

  before('serve the page', async () => {
    server = await PageServer.start();
  });

  beforeEach('open the page', async () => {
    if (!server) throw new Error('The page is not served.');
    const browser = await (await loadHost()).sharedBrowser();
    const context = await browser.newContext({ viewport: viewport ?? { width: 320, height: 700 } });
    context.setDefaultTimeout(5_000);
    chat = await Chat.open(context, `${server.origin}${tries ? '/tries' : '/'}`, theme);
  });

  afterEach('close the page', async function () {
    const open = chat;
    chat = undefined;
    try {
      if (this.currentTest?.state === 'failed') await open?.screenshot(this.currentTest.fullTitle());
      else if (open) assert.deepEqual(await open.faults(), []);
    } finally {
      await open?.close();
    }
  });

  after('stop serving', async () => server?.stop());

  return () => {
    if (!chat) throw new Error('The page is open only while a test runs.');
    return chat;
  };
}
