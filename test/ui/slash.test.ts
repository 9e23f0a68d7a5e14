import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, lastQuestion } from '../fixtures/openaiServer.ts';
import { until } from '../fixtures/until.ts';
import { useChat } from './support/useChat.ts';

describe('slash commands and prompt files', () => {
  const use = useChat(
    (request) => {
      const question = lastQuestion(request);
      return answer(
        question.startsWith('Summarise this part') ? 'A gist.' : `You said ${question.slice(0, 60)}`,
      );
    },
    { viewport: { width: 1280, height: 1000 } },
  );
  const put = async (file: string, text: string): Promise<void> => {
    const at = path.join(use().workbench.folder, file);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, text);
  };
  /** Types, and waits until the list has a row of this name. */
  const list = async (typed: string, row: RegExp): Promise<void> => {
    const { chat } = use();
    await chat.input.focus();
    await chat.input.pressSequentially(typed);
    await chat.frame.getByRole('option', { name: row }).waitFor();
  };

  before('prompt files and instructions', async () => {
    await put('AGENTS.md', 'Use tabs.');
    await put('.github/instructions/typed.instructions.md', '---\napplyTo: **/*.ts\n---\nName types.');
    await put('.github/instructions/docs.instructions.md', '---\napplyTo: "docs/**"\n---\nWrite well.');
    await put(
      '.github/prompts/explain.prompt.md',
      [
        '---',
        'description: Explains one thing',
        'agent: ask',
        'tools: [read, codebase-of-others]',
        '---',
        'Explain ${input:what} of [this](../../src/greet.ts).',
      ].join('\n'),
    );
  });

  it('run what the palette runs, with what is typed behind them', async () => {
    const { chat, workbench, server } = use();
    await workbench.setSidebarWidth(400);
    await chat.ask('first');
    await list('/', /^\/explain/u);
    await workbench.screenshot('slash list');
    await chat.input.fill('');
    await chat.send('/checkpoint a');
    await chat.frame.locator('.checkpoints', { hasText: 'a' }).waitFor();
    await chat.send('/btw what is that?');
    await chat.aside.getByText('You said what is that?').waitFor();
    await chat.ask(`at length: ${'word '.repeat(300)}`);
    await chat.ask('/usr/bin is full');
    await chat.message('You said /usr/bin is full').waitFor();
    const before = server.requests.length;
    await chat.type('');
    await list('/comp', /^\/compact/u);
    await chat.input.press('Enter');
    await chat.frame.locator('.report.compacted').waitFor();
    assert.ok(server.requests.length > before, 'a summary was written');
    await chat.send('/new');
    await until(async () => (await chat.messages.count()) === 0, 'a new chat');
  });

  it('run a prompt file with its input, its mode, its tools and the files it names', async () => {
    const { chat, workbench, server } = use();
    await list('/expl', /^\/explain/u);
    await chat.input.press('Enter');
    await until(async () => (await chat.input.inputValue()) === '/explain ', 'its name in the input');
    await chat.input.pressSequentially('the greeting');
    await chat.input.press('Enter');
    await chat.answered(1);
    const { body } =
      server.requests.findLast(({ body: each }) => JSON.stringify(each).includes('/explain')) ??
      assert.fail();
    const sent = JSON.stringify(body.messages.at(-1)?.content);
    assert.match(sent, /\/explain the greeting.+runs the prompt file \.github\/prompts\/explain\.prompt\.md/);
    assert.match(sent, /Explain the greeting of \[this\]/);
    assert.match(sent, /attached src\/greet\.ts, which the prompt names/);
    assert.match(sent, /instructions for \*\*\/\*\.ts, in .+typed\.instructions\.md.+Name types\./);
    const names = (body.tools ?? []).map((each) => each.function.name);
    assert.ok(names.includes('read_file') && !names.includes('edit_file') && !names.includes('run_command'));
    const system = JSON.stringify(body.messages[0]?.content);
    assert.match(system, /The user has chosen to ask only/);
    assert.match(system, /Use tabs\..+docs\.instructions\.md: for docs\/\*\*/);
    await chat.frame.locator('.file-chip', { hasText: 'explain' }).waitFor();
    await chat.frame.getByText('Not available here: codebase-of-others').waitFor();
    await workbench.screenshot('slash prompt');
    await chat.ask('and now?');
    const next = server.requests.findLast(({ body: each }) =>
      JSON.stringify(each).includes('and now?'),
    )?.body;
    assert.ok(
      next?.tools?.some((each) => each.function.name === 'edit_file'),
      'for that question only',
    );
  });

  it('and their instructions are in the Context view, those that were not sent with the reason', async () => {
    const { workbench } = use();
    await workbench.tree.fold();
    await workbench.contextView.open();
    await workbench.contextView.setHeight(400);
    await workbench.contextView.click('Instructions');
    let rows: string[] = [];
    const expected = [
      /^AGENTS\.md: \d+ tokens$/u,
      /^\.github\/instructions\/typed\.instructions\.md: \d+ tokens · with a question$/u,
      /^\.github\/instructions\/docs\.instructions\.md: No question was about docs\/\*\* yet$/u,
    ];
    await until(async () => {
      rows = (await workbench.contextView.rows()).map(({ label, description }) => `${label}: ${description}`);
      return expected.every((each) => rows.some((row) => each.test(row)));
    }, 'the files').catch((error: unknown) => {
      throw new Error(`The rows are ${JSON.stringify(rows)}`, { cause: error });
    });
    await workbench.screenshot('slash context');
  });

  it('make a prompt file from the list, and open it', async () => {
    const { chat, workbench } = use();
    await chat.send('/prompt');
    await workbench.quickInput.choose('.offshoot/prompts');
    await workbench.quickInput.type('my review');
    await workbench.quickInput.accept();
    const file = path.join(workbench.folder, '.offshoot/prompts/my-review.prompt.md');
    await until(
      () =>
        readFile(file, 'utf8').then(
          (text) => text.includes('${selection}'),
          () => false,
        ),
      'the file',
    );
    await workbench.page.locator('.tab', { hasText: 'my-review.prompt.md' }).waitFor();
    await list('/my', /^\/my-review/u);
  });
});
