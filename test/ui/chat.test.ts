import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { McpClient } from '../fixtures/mcp/mcpClient.ts';
import {
  answer,
  cut,
  finish,
  hang,
  lastQuestion,
  pause,
  refuse,
  say,
  usage,
} from '../fixtures/openaiServer.ts';
import { ChatPage } from './support/chatPage.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';
import { useWorkbench } from './support/useWorkbench.ts';
import { soon } from '../fixtures/soon.ts';

describe('the chat in the side bar', () => {
  describe('with nothing set up', () => {
    const workbench = useWorkbench({ settings: { 'offshoot.demo.pace': 0 } });

    it('answers with the labelled demo, as Markdown, and has it again after a reload and a restart @vsix', async function () {
      this.timeout(240_000);
      const chat = new ChatPage(workbench());
      await workbench().openOffshoot();
      await chat.ask('Tell me about closures with code');
      const answered = chat.answers.first();
      await soon.equal(() => answered.locator('.tag').innerText(), 'Demo');
      assert.ok((await answered.locator('.markdown :is(h1, h2, h3)').count()) > 0);
      const texts = await chat.texts();

      await workbench().reload();
      await workbench().openOffshoot();
      await chat.shows(texts);

      await workbench().restartServer();
      await workbench().openOffshoot();
      await chat.shows(texts);
    });

    it('lets other agents read it, by the server that comes with the extension @vsix', async () => {
      const { dataDir } = workbench();
      const files = await readdir(dataDir, { recursive: true });
      const lock = files.find((file) => file.endsWith('offshoot.db.lock'));
      assert.ok(lock !== undefined);
      const installed = files.find((file) =>
        /extensions.offshoot\.offshoot-[^/\\]+.dist.mcp\.mjs$/u.test(file),
      );
      const program =
        installed === undefined ? path.resolve('dist', 'mcp.mjs') : path.join(dataDir, installed);
      const args = [program, '--storage', path.join(dataDir, path.dirname(lock))];
      await using agent = await McpClient.start({ command: process.execPath, args });
      await soon.match(() => agent.read('search_conversations', { query: 'closures' }), /\[closures\]/iu);
    });
  });

  describe('with a model server', () => {
    const hostile = [
      'Hello <img src="x" onerror="document.title=\'broken\'">',
      '<script>document.title="broken"</script>',
      '[click](javascript:alert(1)) [run](command:workbench.action.quit) [site](https://example.com)',
      '<iframe src="https://example.com"></iframe><style>body{display:none}</style>',
      '<svg onload="document.title=\'broken\'"><a href="javascript:document.title=\'broken\'">svg</a></svg>',
      '[disguised](&#106;ava&Tab;script:alert(1)) [data](data:text/html,x) [code](vscode://file/etc/passwd)',
      'See `src/grееt.ts:1` and `README.md`.',
      '```\n\u001b[31mred\u001b[0m\n```',
      '**bold** and `code`',
    ].join('\n\n');
    // Five million characters: ten thousand blocks of code, a line of a million, and tables and emphasis without end.
    const huge = [
      '```ts\nconst a = 1;\n```\n\n'.repeat(10_000),
      `${'x'.repeat(1_000_000)}\n\n`,
      '**_[a](<![x|\n\n'.repeat(50_000),
      'Some **bold** and `code` words in a [link](https://example.com) here.\n\n'.repeat(44_000),
    ].flatMap((text) => text.match(/[^]{1,65536}/gu) ?? []);
    const use = useChat((request) => {
      const question = lastQuestion(request);
      if (question === 'stop me') return [say('The first words'), pause('stop'), say(' never'), hang()];
      if (question === 'break') return [say('Half an answer'), pause('cut'), cut()];
      if (question === 'no key') return refuse(401);
      if (question === 'hostile') return answer(hostile);
      if (question === 'huge') return [...huge.map(say), usage(10, 10), finish()];
      return answer(`You said ${question}`);
    });

    it('streams the answer as it comes, and Stop keeps what has come', async () => {
      const { chat, server } = use();
      await chat.send('stop me');
      await chat.message('The first words').waitFor();
      await chat.stopButton.click();
      await chat.frame.locator('.status.interrupted').waitFor();
      server.release('stop');
      await chat.shows(['stop me', 'The first words']);
    });

    it('keeps half an answer when the connection breaks, and says what happened', async () => {
      const { chat, server } = use();
      await chat.send('break');
      await chat.message('Half an answer').waitFor();
      server.release('cut');
      const status = chat.answers.last().locator('.status.failed');
      await status.waitFor();
      await soon.match(() => status.innerText(), /connection|broke|ended|server/i);
      await soon.equal(async () => (await chat.texts()).at(-1), 'Half an answer');
    });

    it('says what to do when the server wants a key, and leads there', async () => {
      const { chat, workbench } = use();
      await chat.send('no key');
      const status = chat.answers.last().locator('.status.failed', { hasText: 'needs a key' });
      await status.getByRole('button', { name: 'Set API Key…' }).click();
      // It is known whose key is wanted.
      await workbench.quickInput.shown('API key for OpenAI-compatible server');
      await workbench.quickInput.dismiss();
    });

    it('shows hostile answers safely', async () => {
      const { chat, workbench } = use();
      // The answer that failed before it said a word is no message, and is gone with the next question.
      await chat.send('hostile');
      await chat.answers.last().locator('strong', { hasText: 'bold' }).waitFor();
      await chat.answered(3);
      const shown = chat.answers.last();
      assert.equal(await shown.locator('script, iframe, style, img, [onerror], [href], [style]').count(), 0);
      await soon.equal(() => shown.locator('strong').innerText(), 'bold');
      const links = await shown.locator('[data-href]:not(.file-link)').allTextContents();
      assert.deepEqual(links, ['site']);
      assert.doesNotMatch(await workbench.page.title(), /broken/);
      assert.ok(await chat.input.isVisible());
      // Letters of another alphabet pass for the name of a file that is there: it is no link to that one.
      await shown.locator('.file-link', { hasText: 'README.md' }).waitFor();
      assert.deepEqual(await shown.locator('.file-link').allInnerTexts(), ['README.md']);
      const terminal = shown.locator('.code-block code');
      assert.equal((await terminal.innerText()).trim(), 'red');
      const [red, plain] = await terminal.evaluate((code) => [
        ...new Set([code.querySelector('span'), code].map((part) => part && getComputedStyle(part).color)),
      ]);
      assert.ok(red !== null && plain !== undefined, 'the colour of the terminal');
    });

    it('shows an answer of five million characters without a freeze', async () => {
      const { chat, workbench } = use();
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      await chat.frame.locator('body').evaluate(() => {
        const durations: number[] = [];
        Object.assign(window, { durations });
        new PerformanceObserver((list) => {
          durations.push(...list.getEntries().map(({ duration }) => duration));
        }).observe({ type: 'longtask' });
      });
      await chat.send('huge');
      await chat.answers.first().locator('.code-block').first().waitFor();
      await until(
        async () => (await chat.frame.locator('.status.streaming').count()) === 0,
        'the answer to end',
        30_000,
      );
      await chat.type('still there');
      const longest = await chat.frame
        .locator('body')
        .evaluate(() => Math.max(0, ...(window as unknown as { durations: number[] }).durations));
      // Far above what it takes, so that a busy machine does not matter; without limits it would be a minute and more.
      assert.ok(longest < 2_000, `the page was busy for ${Math.round(longest)} ms`);
      await workbench.screenshot('huge answer');
      await chat.input.fill('');
      await workbench.tree.click('stop me');
      await chat.message('The first words').waitFor();
    });

    it('goes on in a new chat, and the old one is a click away in the tree', async () => {
      const { chat, workbench } = use();
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      await chat.ask('a new beginning');
      await chat.shows(['a new beginning', 'You said a new beginning']);
      // A tree that is being drawn anew would take its menu away.
      await until(
        async () =>
          (await workbench.tree.rows()).some(({ description }) =>
            description.startsWith('active · 2 messages'),
          ),
        'the tree to show the answer',
      );
      await workbench.tree.pick('stop me', 'Open Chat…');
      await chat.message('The first words').waitFor();
    });

    it('asks for a key, keeps it secret, and sends it to the server it was given for', async () => {
      const { chat, workbench, server } = use();
      await workbench.runCommand('offshoot.newChat');
      await chat.hasFocus();
      await workbench.runCommand('offshoot.setApiKey');
      await workbench.quickInput.choose('OpenAI-compatible server');
      await workbench.quickInput.answer('sk-secret-of-the-test');
      await workbench.quickInput.hidden();
      await chat.ask('with key');
      const request = await until(() => server.requests.at(-1), 'a request');
      assert.equal(request.headers['authorization'], 'Bearer sk-secret-of-the-test');
    });

    it('keeps a question that is too long to be asked, and says so', async () => {
      const { chat, workbench } = use();
      await workbench.runCommand('offshoot.newChat');
      await chat.frame.getByText('A conversation that branches').waitFor();
      await chat.input.fill('y'.repeat(1_000_001));
      await chat.input.press('Enter');
      await chat.frame.locator('.banner.error', { hasText: 'too long' }).waitFor();
      assert.equal((await chat.input.inputValue()).length, 1_000_001);
      await chat.input.fill('');
      await chat.frame.getByRole('button', { name: 'Dismiss' }).click();
    });

    it('picks another model', async () => {
      const { chat, workbench } = use();
      await workbench.runCommand('offshoot.selectModel');
      await workbench.quickInput.choose('Offline demo');
      await chat.frame.locator('.model-name').getByText('Offline demo').waitFor();
      await chat.ask('who are you');
      await soon.equal(() => chat.answers.last().locator('.author-name').innerText(), 'Offline demo');
    });
  });
});
