import assert from 'node:assert/strict';
import type { AlternativesView, AlternativeView } from '../../../src/protocol/chatFromHost.ts';
import { until } from '../../fixtures/until.ts';
import { answer, streaming } from './harness/conversations.ts';
import { useChat } from './harness/useChat.ts';
import { themeNames } from './harness/chat.ts';

const column = (branch: string, rest: Partial<AlternativeView> = {}): AlternativeView => ({
  branch,
  isActive: false,
  messages: [
    answer(`${branch}-a`, `Answer on **${branch}**`, { model: { label: 'test-model', isDemo: false } }),
  ],
  duration: 2_340,
  usage: { inputTokens: 1_200, outputTokens: 340, cost: 0.0042 },
  goesOn: false,
  ...rest,
});
const shown = (alternatives: readonly AlternativeView[], isReadOnly = false): AlternativesView => ({
  chatId: 'chat-1',
  questionId: 'q',
  question: 'How would you split this function, and why?\nIt has grown long.',
  alternatives: [...alternatives],
  isReadOnly,
});

describe('the page of answers side by side', () => {
  const use = useChat({ alternatives: true, viewport: { width: 1000, height: 600 } });
  const show = async (alternatives: AlternativesView | undefined): Promise<void> => {
    await use().tell({
      type: 'alternativesChanged',
      place: { chatId: 'chat-1', questionId: 'q' },
      ...(alternatives ? { alternatives } : {}),
    });
    await use().frame();
  };
  const writing = (branch: string): AlternativeView => {
    const {
      duration: _none,
      usage: _nor,
      ...rest
    } = column(branch, {
      messages: [streaming(`${branch}-a`, 'It')],
    });
    return rest;
  };

  it('follows the end of each answer, until one goes up in it a little', async () => {
    const chat = use();
    const written = (lines: number): AlternativeView[] =>
      ['main', 'main-v2'].map((branch) => ({
        ...writing(branch),
        messages: [streaming(`${branch}-a`, 'A line of it.\n\n'.repeat(lines))],
      }));
    const below = (column: number): Promise<number> =>
      chat.page
        .locator('.try-body')
        .nth(column)
        .evaluate((body) => body.scrollHeight - body.scrollTop - body.clientHeight);
    await show(shown(written(40)));
    await until(async () => (await below(0)) < 2 && (await below(1)) < 2, 'both ends');
    await chat.page.locator('.try-body').first().hover();
    await chat.page.mouse.wheel(0, -20);
    await until(async () => (await below(0)) >= 20, 'the first to go up');
    await show(shown(written(80)));
    await until(async () => (await below(1)) < 2, 'the second to be followed');
    assert.ok((await below(0)) > 500, 'what is read was taken away');
  });

  it('shows each answer with its model, time, tokens and cost, and keeps the one that is chosen', async () => {
    const chat = use();
    const { page } = chat;
    await show(shown([column('main', { isActive: true, goesOn: true }), column('main-v2')]));
    const texts = await page.locator('.try').allInnerTexts();
    assert.match(
      texts[0] ?? '',
      /test-model\s+main\s+current\s+continues\s+Answer on main\s+2\.3 s · 1,200 in, 340 out · \$0\.0042/,
    );
    assert.equal(await page.locator('.try strong').count(), 2, 'Markdown is rendered');
    await page.getByRole('button', { name: 'Use This Response' }).nth(1).click();
    assert.deepEqual(await chat.expect('keepAlternative'), { type: 'keepAlternative', branch: 'main-v2' });
    assert.equal((await chat.sent()).length, 2);
  });

  it('lets all answers grow at once, and stops one or all', async () => {
    const chat = use();
    await show(shown([writing('main'), writing('main-v2'), column('main-v3')]));
    await chat.delta('main-v2-a', ' depends.', 2);
    await chat.delta('main-a', ' is so.', 2);
    await until(
      async () =>
        (await chat.page.locator('.try .markdown').allInnerTexts()).join('|') ===
        'It is so.|It depends.|Answer on main-v3',
      'both answers to grow',
    );
    await chat.page
      .locator('[data-branch="main-v2"]')
      .getByRole('button', { name: 'Stop this answer' })
      .click();
    assert.deepEqual(await chat.expect('stopAnswer'), { type: 'stopAnswer', branch: 'main-v2' });
    await chat.button('Stop All').click();
    assert.deepEqual(await chat.expect('stopAlternatives'), { type: 'stopAlternatives' });
    // A piece that does not fit: everything is asked for again.
    await chat.delta('main-a', '?', 99);
    await until(
      async () => (await chat.sent()).filter(({ type }) => type === 'ready').length === 2,
      'to ask again',
    );
  });

  it('goes on in a column that the budget stopped, once beyond it or after a cap is raised', async () => {
    const chat = use();
    const stopped = { status: 'failed', error: 'Stopped by your budget.', isAtBudget: true } as const;
    const begun = { ...answer('b', 'It depends'), ...stopped, canContinue: true } as const;
    const columns = [
      column('main', { messages: [{ ...answer('a', ''), parts: [], ...stopped }], isActive: true }),
      column('main-v2', { messages: [begun] }),
      column('main-v3', { messages: [begun], goesOn: true }),
      column('main-v4', { messages: [begun, streaming('c', 'on')] }),
    ];
    await show(shown(columns));
    const { page } = chat;
    const press = (branch: string, name: string): Promise<void> =>
      page.locator(`[data-branch="${branch}"]`).getByRole('button', { name }).click();
    await press('main', 'Continue Once');
    assert.deepEqual(await chat.expect('retryAnswer'), {
      type: 'retryAnswer',
      branch: 'main',
      onBudget: 'once',
    });
    await press('main-v2', 'Raise Cap…');
    assert.deepEqual(await chat.expect('continueAnswer'), {
      type: 'continueAnswer',
      branch: 'main-v2',
      onBudget: 'raise',
    });
    const offered = page.getByRole('button', { name: 'Continue Once' });
    assert.equal(await offered.count(), 2, 'nothing else of a column, and none that goes on');
    assert.equal(await page.getByRole('button', { name: 'Try Again' }).count(), 0);
    for (const width of [1000, 240]) {
      await page.setViewportSize({ width, height: 700 });
      await chat.screenshot(`tries at a budget ${width}`);
    }
    await show(shown(columns, true));
    assert.equal(await offered.first().isDisabled(), true, 'not where nothing can be saved');
  });

  it('remembers which question it shows, for a reload, and says when it is gone', async () => {
    const chat = use();
    await show(undefined);
    await chat.page.getByText('The question is no longer there.').waitFor();
    const state = await chat.page.evaluate<unknown>("JSON.parse(sessionStorage.getItem('state'))");
    assert.deepEqual(state, { place: { chatId: 'chat-1', questionId: 'q' } });
  });

  it('stands in columns where there is room, one below the other where there is not', async () => {
    const { page } = use();
    await show(shown([column('main'), column('main-v2'), column('main-v3')]));
    const tops = (): Promise<number[]> =>
      page.evaluate<number[]>(
        "[...document.querySelectorAll('.try')].map((each) => each.getBoundingClientRect().top)",
      );
    assert.equal(new Set(await tops()).size, 1);
    await page.setViewportSize({ width: 400, height: 700 });
    assert.equal(new Set(await tops()).size, 3);
    const overflow = 'document.querySelector("main").scrollWidth - innerWidth';
    assert.ok((await page.evaluate<number>(overflow)) <= 0);
    for (const theme of themeNames) {
      await use().setTheme(theme);
      await use().screenshot(`tries 400 ${theme}`);
    }
    await page.setViewportSize({ width: 240, height: 700 });
    const names = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.try .branch-name')].map((each) => each.getBoundingClientRect().width)",
    );
    assert.ok(
      names.length === 3 && names.every((width) => width > 20),
      `the names of branches: ${names.join()}`,
    );
  });
});
