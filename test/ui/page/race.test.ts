import assert from 'node:assert/strict';
import type { AlternativeView, AttemptView } from '../../../src/protocol/chatFromHost.ts';
import { until } from '../../fixtures/until.ts';
import { answer, streaming } from './harness/conversations.ts';
import { themeNames } from './harness/chat.ts';
import { useChat } from './harness/useChat.ts';

type Check = NonNullable<AttemptView['check']>;

const OUTPUT = 'sum\n  ✗ adds two numbers\n    expected 3, got 5\n\n1 failing\n';

const attempt = (rest: Partial<AttemptView> = {}, check: Partial<Check> = {}): AttemptView => ({
  isOpen: true,
  lines: { files: 2, added: 12, removed: 3 },
  changed: [
    { folder: 'file:///app', path: 'src/sum.ts', kind: 'changed' },
    { folder: 'file:///app', path: 'src/total.ts', kind: 'added' },
    { folder: 'file:///app', path: 'src/old.ts', kind: 'deleted' },
  ],
  more: 0,
  check: {
    command: 'npm test',
    state: 'passed',
    exitCode: 0,
    duration: 1_200,
    output: 'all is well\n',
    ...check,
  },
  ...rest,
});

const racer = (branch: string, own: AttemptView, rest: Partial<AlternativeView> = {}): AlternativeView => ({
  branch,
  isActive: false,
  messages: [
    answer(`${branch}-a`, `Fixed in **${branch}**.`, { model: { label: 'test-model', isDemo: false } }),
  ],
  duration: 12_340,
  usage: { inputTokens: 1_200, outputTokens: 340, cost: 0.0042 },
  goesOn: false,
  attempt: own,
  ...rest,
});

const writing = (branch: string, own: AttemptView): AlternativeView => {
  const { duration: _none, usage: _nor, ...rest } = racer(branch, own);
  return { ...rest, messages: [streaming(`${branch}-a`, 'It')] };
};

const three = (): AlternativeView[] => [
  racer('change as little as possible', attempt({ hint: 'change as little as possible', effort: 'High' })),
  racer('main-v3', attempt({}, { state: 'failed', exitCode: 1, output: OUTPUT })),
  writing('main-v4', attempt({ changed: [] }, { state: 'waiting' })),
];

describe('the page of a race', () => {
  const use = useChat({ alternatives: true, viewport: { width: 1000, height: 700 } });
  const show = async (alternatives: readonly AlternativeView[], isReadOnly = false): Promise<void> => {
    await use().tell({
      type: 'alternativesChanged',
      place: { chatId: 'chat-1', questionId: 'q' },
      alternatives: {
        chatId: 'chat-1',
        questionId: 'q',
        question: 'Fix the failing test.',
        alternatives: [...alternatives],
        isReadOnly,
      },
    });
    await use().frame();
  };
  const row = (branch: string) => use().page.locator(`.attempt[data-branch="${branch}"]`);
  const press = (branch: string, name: RegExp | string): Promise<void> =>
    row(branch).getByRole('button', { name }).click();

  it('has a row for each branch with its check, size, time and cost', async () => {
    await show(three());
    const texts = (await use().page.locator('.attempt').allInnerTexts()).map((text) =>
      text.replaceAll(/\s+/gu, ' ').trim(),
    );
    assert.match(
      texts[0] ?? '',
      /^change as little as possible test-model · High Check passed \+12 −3 2 files 12\.3 s · \$0\.0042 Keep$/u,
    );
    assert.match(texts[1] ?? '', /main-v3 test-model Check failed \(1\)/u);
    assert.match(texts[2] ?? '', /main-v4 .*Working Check follows/u);
  });

  it('shows files and the output on demand, and asks for what is pressed', async () => {
    const chat = use();
    await show(three());
    assert.equal(await chat.page.locator('.attempt-output').count(), 0);
    await press('main-v3', /^main-v3/u);
    assert.equal(await row('main-v3').locator('.attempt-output').textContent(), OUTPUT);
    await press('main-v3', 'Modified src/sum.ts');
    const file = { branch: 'main-v3', folder: 'file:///app' };
    assert.deepEqual(await chat.expect('openAttemptFile'), {
      type: 'openAttemptFile',
      ...file,
      path: 'src/sum.ts',
      compares: true,
    });
    await press('main-v3', 'Open src/total.ts');
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'openAttemptFile').length === 2,
      'the file to be opened',
    );
    assert.equal(await row('main-v3').getByRole('button', { name: 'Open src/old.ts' }).count(), 0);
    await press('main-v3', 'Run Again');
    assert.deepEqual(await chat.expect('actOnAttempt'), {
      type: 'actOnAttempt',
      branch: 'main-v3',
      action: 'runCheck',
    });
  });

  it('compares, asks, stops and keeps', async () => {
    const chat = use();
    await show(three());
    await press('main-v3', 'Show changes of main-v3');
    await press('main-v3', 'Compare main-v3 with another branch');
    await press('main-v3', 'Ask a follow-up question on main-v3');
    await until(
      async () =>
        (await chat.sent())
          .flatMap((message) => (message.type === 'actOnAttempt' ? [message.action] : []))
          .join() === 'compare,compareWith,ask',
      'what was pressed',
    );
    await press('main-v3', 'Keep');
    assert.deepEqual(await chat.expect('keepAlternative'), { type: 'keepAlternative', branch: 'main-v3' });
    await press('main-v4', 'Stop main-v4');
    assert.deepEqual(await chat.expect('stopAnswer'), { type: 'stopAnswer', branch: 'main-v4' });
    assert.equal(await row('main-v4').getByRole('button', { name: 'Keep' }).isDisabled(), true);
  });

  it('says that a check runs, did not run, or took too long, and stops one', async () => {
    const chat = use();
    const of = (state: Check['state']): AlternativeView =>
      racer(state, { ...attempt(), check: { command: 'npm test', state } });
    await show([of('running'), of('elsewhere'), of('none'), of('late'), of('stopped')]);
    assert.deepEqual(await chat.page.locator('.attempt-check').allInnerTexts(), [
      'Checking…',
      'Checking in another window…',
      'Not checked',
      'Check timed out',
      'Check stopped',
    ]);
    await press('elsewhere', /^elsewhere/u);
    assert.deepEqual(await row('elsewhere').locator('.attempt-checked button').allInnerTexts(), []);
    await press('running', /^running/u);
    await press('running', 'Stop Check');
    assert.deepEqual(await chat.expect('actOnAttempt'), {
      type: 'actOnAttempt',
      branch: 'running',
      action: 'stopCheck',
    });
  });

  it('says where the budget stopped a branch, and goes on there, once beyond it or after a cap is raised', async () => {
    const chat = use();
    const stopped = {
      status: 'failed',
      error: 'Stopped by your budget. It could take more.',
      isAtBudget: true,
    } as const;
    const capped = (branch: string, text: string): AlternativeView =>
      racer(branch, attempt({}, { state: 'none' }), {
        messages: [
          { ...answer(`${branch}-a`, text), ...stopped, ...(text === '' ? {} : { canContinue: true }) },
        ],
      });
    const failing = racer('main-v4', attempt({}, { state: 'none' }), {
      messages: [{ ...answer('f', 'No'), status: 'failed', error: 'The server is down.' }],
    });
    const all = [capped('main-v2', ''), capped('main-v3', 'Half'), failing];
    await show(all);
    assert.equal(await row('main-v2').locator('.attempt-state').innerText(), 'Stopped by your budget');
    assert.equal(await row('main-v2').locator('.attempt-state').getAttribute('title'), stopped.error);
    assert.equal(await row('main-v4').locator('.attempt-state').innerText(), 'Failed');
    assert.equal(await row('main-v4').getByRole('button', { name: 'Continue Once' }).count(), 0);
    await press('main-v2', 'Continue Once');
    assert.deepEqual(await chat.expect('retryAnswer'), {
      type: 'retryAnswer',
      branch: 'main-v2',
      onBudget: 'once',
    });
    await press('main-v3', 'Raise Cap…');
    assert.deepEqual(await chat.expect('continueAnswer'), {
      type: 'continueAnswer',
      branch: 'main-v3',
      onBudget: 'raise',
    });
    for (const width of [1000, 240]) {
      await use().page.setViewportSize({ width, height: 700 });
      await chat.screenshot(`race at a budget ${width}`);
    }
    await show(all, true);
    assert.equal(await row('main-v2').getByRole('button', { name: 'Continue Once' }).isDisabled(), true);
  });

  it('changes nothing where the chat is only read, or the files were discarded', async () => {
    await show(three(), true);
    assert.equal(await row('main-v3').getByRole('button', { name: 'Keep' }).isDisabled(), true);
    await show([racer('main-v3', attempt({ isOpen: false })), racer('main-v5', attempt())]);
    assert.match(await row('main-v3').innerText(), /Files discarded/u);
    assert.equal(await row('main-v3').getByRole('button', { name: 'Keep' }).isDisabled(), true);
    assert.equal(await row('main-v5').getByRole('button', { name: 'Keep' }).isDisabled(), false);
  });

  it('says that files are not on this machine, and offers nothing that needs them', async () => {
    const elsewhere: AttemptView = { isOpen: false, isElsewhere: true, changed: [], more: 0 };
    await show([racer('main-v3', elsewhere), racer('main-v5', attempt())]);
    assert.match(await row('main-v3').innerText(), /Files not on this machine/u);
    const buttons = await row('main-v3').locator('.attempt-actions button').all();
    assert.deepEqual(await Promise.all(buttons.map((each) => each.isDisabled())), [true, true, true, true]);
    await press('main-v3', /^main-v3/u);
    assert.equal(await row('main-v3').locator('.attempt-details').innerText(), '');
  });

  it('fits a wide tab and a narrow one, in every theme', async () => {
    const chat = use();
    const { page } = chat;
    await show(three());
    await press('main-v3', /^main-v3/u);
    for (const [width, height] of [
      [1000, 700],
      [240, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const theme of themeNames) {
        await chat.setTheme(theme);
        await chat.screenshot(`race ${width} ${theme}`);
      }
      const overflow = 'document.querySelector("main").scrollWidth - innerWidth';
      assert.ok((await page.evaluate<number>(overflow)) <= 0, `too wide at ${width}`);
      const cut = await page.evaluate<string[]>(
        "[...document.querySelectorAll('.attempt button')].filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.title)",
      );
      assert.deepEqual(cut, []);
    }
  });
});
