import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import { until } from '../../fixtures/until.ts';
import { themeNames } from './harness/chat.ts';
import { graphOf, useGraph, type Graph } from './harness/graph.ts';

/** 0 - 1 - 2 - 3 - 4 - 5 (main), 6 - 7 made at 1 (main-v2), 8 made at 6 (main-v2-v2), 9 made at 3 (main-v3). */
const parents = [-1, 0, 1, 2, 3, 4, 1, 6, 6, 3];

const forked = graphOf(parents, {
  branches: [
    { name: 'main', headMessageId: 'm5', isActive: false, isArchived: false },
    { name: 'main-v2', headMessageId: 'm7', isActive: true, isArchived: false },
    { name: 'main-v2-v2', headMessageId: 'm8', isActive: false, isArchived: true },
    { name: 'main-v3', headMessageId: 'm9', isActive: false, isArchived: false, activity: 'streaming' },
  ],
  checkpoints: [{ name: 'before the examples', messageId: 'm3' }],
});

/** How many lines are drawn in the elements that match: all lines of a color are one element. */
async function countLines(graph: Graph, selector: string): Promise<number> {
  return graph.page.evaluate<number>(
    `[...document.querySelectorAll('.graph-lines ${selector}')].map((path) => path.getAttribute('d').split('M').length - 1).reduce((sum, count) => sum + count, 0)`,
  );
}

describe('the graph page', () => {
  const use = useGraph();

  it('draws each message on a row of its own, each edge, and where one is', async () => {
    const graph = use();
    await graph.show(forked);
    const drawn = await graph.page.evaluate<string[]>(
      `[...document.querySelectorAll('.graph-row')]
        .sort((a, b) => a.offsetTop - b.offsetTop)
        .map((row) => row.querySelector('.row-text').innerText.replaceAll(/\\s+/g, ' ').trim())`,
    );
    assert.deepEqual(drawn, [
      'What m0 says',
      'What m1 says',
      'What m6 says',
      'main-v2-v2 What m8 says',
      'main-v2 What m7 says',
      'What m2 says',
      'before the examples What m3 says',
      'main-v3 What m9 says',
      'What m4 says',
      'main What m5 says',
    ]);
    assert.equal(await countLines(graph, 'path'), 9);
    assert.equal(await countLines(graph, 'path.active'), 3);
    assert.equal(await graph.page.locator('.node.here').count(), 1);
    assert.equal(await graph.focused(), 'm7');
  });

  it('is walked by arrow keys along the graph; Enter shows the message, or previews it on another branch', async () => {
    const graph = use();
    await graph.show(forked);
    for (const [key, id] of [
      ['ArrowUp', 'm6'],
      ['ArrowRight', 'm8'],
      ['ArrowLeft', 'm6'],
      ['ArrowLeft', 'm1'],
      ['ArrowDown', 'm2'],
      ['End', 'm5'],
      ['Home', 'm0'],
    ] as const) {
      await graph.press(key);
      assert.equal(await graph.focused(), id, `after ${key}`);
    }
    await graph.press('Enter');
    assert.equal((await graph.expect('showMessage')).messageId, 'm0');
    await graph.press('End', 'Enter');
    await graph.button('Switch to this branch').click();
    assert.equal((await graph.expect('switchBranch')).branch, 'main');
    assert.equal((await graph.sent()).filter(({ type }) => type === 'switchBranch').length, 1);
  });

  it('previews what one clicks on another branch, and goes there by a button that says so', async () => {
    const graph = use();
    await graph.show(forked);
    await graph.row('m9').locator('.label').click();
    assert.equal(await graph.focused(), 'm9');
    assert.ok(!(await graph.sent()).some(({ type }) => type === 'switchBranch'));
    await graph.button('Switch to this branch').click();
    assert.equal((await graph.expect('switchBranch')).branch, 'main-v3');
    await graph.row('m2').locator('.label').click();
    await graph.button('Switch Branch and Show').click();
    assert.equal((await graph.expect('showMessage')).messageId, 'm2');
    await graph.row('m5').locator('.chip').click();
    await until(
      async () => (await graph.expect('switchBranch')).branch === 'main',
      'the branch that was clicked',
    );
  });

  it('compares two that were selected, and deselects them by Escape', async () => {
    const graph = use();
    await graph.show(forked);
    await graph.row('m5').click({ modifiers: ['Control'] });
    assert.equal(await graph.button('Compare the two selected').isDisabled(), true);
    await graph.list.focus();
    await graph.press('Home', 'ArrowDown', 'ArrowDown', ' ');
    await graph.button('Compare the two selected').click();
    assert.deepEqual((await graph.expect('compare')).messageIds, ['m5', 'm2']);
    assert.equal(await graph.page.locator('[aria-selected=true]').count(), 2);
    await graph.press('Escape');
    assert.equal(await graph.page.locator('[aria-selected=true]').count(), 0);
    const types = (await graph.sent()).map(({ type }) => type);
    assert.ok(!types.includes('switchBranch') && !types.includes('showMessage'), 'nothing was gone to');
  });

  it('shows what a message says as plain text, on hover and on focus', async () => {
    const graph = use();
    await graph.tell(forked);
    await graph.answer(() => '<img src=x onerror="document.title=1"> [a](command:x)');
    const hostile = '<script>document.title = "taken"</script><b>bold</b>\n[link](command:quit)';
    await graph.row('m2').hover();
    await until(async () => (await graph.expect('previewNode')).id === 'm2', 'the preview to be asked for');
    await graph.preview('m2', { text: hostile, isCut: true });
    assert.equal(await graph.page.locator('.preview-text').innerText(), `${hostile}…`);
    assert.equal(await graph.page.locator('.preview-text *, .label *').count(), 0);
    assert.equal(await graph.page.title(), 'Offshoot');
    await graph.list.focus();
    await graph.press('Home');
    await until(async () => (await graph.expect('previewNode')).id === 'm0', 'that of the focused message');
  });

  it('follows what is said, keeps what one looks at in its place, and asks again when it missed something', async () => {
    const graph = use();
    const long = Array.from({ length: 400 }, (_, index) => index - 1);
    await graph.show(graphOf(long));
    await graph.list.focus();
    await graph.press('PageUp', 'PageUp');
    const top = async (): Promise<number> => (await graph.row('m359').boundingBox())?.y ?? -1;
    const before = await top();
    // A branch made far above pushes everything below it down.
    const addition = { from: 400, ids: ['n0', 'n1'], parents: [10, 400], roles: ['user', 'assistant'] };
    await graph.tell({ ...graphOf(long), ...addition });
    assert.ok(Math.abs((await top()) - before) < 1, `${before} became ${await top()}`);
    assert.equal(await graph.row('m359').getAttribute('aria-setsize'), '402');
    const asked = async (): Promise<number> =>
      (await graph.sent()).filter(({ type }) => type === 'ready').length;
    assert.equal(await asked(), 1);
    await graph.tell({ ...graphOf(long), ...addition, from: 999 });
    assert.equal(await asked(), 2);
  });

  it('goes on with the branch while the keyboard is at its end', async () => {
    const graph = use();
    await graph.show(forked);
    assert.equal(await graph.focused(), 'm7');
    const grown = forked.branches.map((branch) =>
      branch.isActive ? { ...branch, headMessageId: 'm10' } : branch,
    );
    await graph.tell(graphOf([...parents, 7], { branches: grown }));
    assert.equal(await graph.focused(), 'm10');
    await graph.press('Home');
    await graph.tell(forked);
    assert.equal(await graph.focused(), 'm0');
  });

  it('draws only what is visible of 10,000 messages, wherever one goes', async () => {
    const graph = use();
    // A retry at every fourth message.
    const many = Array.from({ length: 10_000 }, (_, index) => (index % 4 === 3 ? index - 2 : index - 1));
    await graph.show(graphOf(many));
    for (const key of ['End', 'Home', 'PageDown']) {
      await graph.press(key);
      assert.ok((await graph.page.locator('.graph-row').count()) < 60, 'few rows');
      assert.ok((await countLines(graph, 'path')) < 3_000, 'few lines');
      assert.equal(await graph.page.locator('.graph-row.focused').count(), 1);
    }
  });

  it('is pulled by the pointer without a click, and zooms around it', async () => {
    const graph = use();
    await graph.show(graphOf(Array.from({ length: 300 }, (_, index) => index - 1)));
    const scrollTop = (): Promise<number> =>
      graph.page.evaluate<number>("document.querySelector('.graph-scroller').scrollTop");
    const before = await scrollTop();
    await graph.page.mouse.move(300, 200);
    await graph.page.mouse.down();
    await graph.page.mouse.move(300, 320, { steps: 4 });
    await graph.page.mouse.up();
    assert.equal(await scrollTop(), before - 120);
    assert.ok(!(await graph.sent()).some(({ type }) => type === 'showMessage'));
    await graph.page.keyboard.down('Control');
    await graph.page.mouse.wheel(0, 600);
    await graph.page.keyboard.up('Control');
    await until(async () => (await graph.page.locator('.graph-row').count()) > 60, 'lower rows');
    await graph.list.focus();
    await graph.press('0');
    await until(async () => (await graph.page.locator('.graph-row').count()) < 60, 'rows as before');
    const height = async (): Promise<number> => (await graph.row('m299').boundingBox())?.height ?? 0;
    const usual = await height();
    await graph.row('m299').hover();
    await graph.page.keyboard.down('Control');
    await graph.page.mouse.wheel(0, -300);
    await graph.page.keyboard.up('Control');
    await until(async () => (await height()) > usual, 'larger rows');
    await graph.button('Reset zoom').click();
    await until(async () => (await height()) === usual, 'rows as large as before');
  });

  it('remembers over a reload what was looked at', async () => {
    const graph = use();
    await graph.show(forked);
    await graph.press('Home', ' ', '-');
    await graph.page.reload();
    await graph.expect('ready');
    await graph.show(forked);
    assert.equal(await graph.focused(), 'm0');
    assert.equal(await graph.row('m0').getAttribute('aria-selected'), 'true');
    assert.equal(await graph.button('Reset zoom').isEnabled(), true);
  });

  it('begins at one place where there are several first messages, or a branch without any', async () => {
    const graph = use();
    await graph.show(
      graphOf([-1, 0, -1], {
        branches: [
          { name: 'main', headMessageId: 'm1', isActive: true, isArchived: false },
          { name: 'main-v2', headMessageId: 'm2', isActive: false, isArchived: false },
          { name: 'main-v3', headMessageId: null, isActive: false, isArchived: false },
        ],
      }),
    );
    assert.match(await graph.row('').locator('.row-text').innerText(), /main-v3\s+Beginning/);
    assert.equal(await countLines(graph, 'path'), 3);
    await graph.row('').locator('.label').click();
    await graph.page.locator('.graph-preview .link-button', { hasText: 'main-v3' }).click();
    assert.equal((await graph.expect('switchBranch')).branch, 'main-v3');
  });

  it('says so when a chat has no message yet', async () => {
    const graph = use();
    await graph.tell(graphOf([], { branches: [] }));
    await graph.page.getByText('Nothing has been said in this chat yet.').waitFor();
  });

  it('moves nothing for a user who wants no motion', async () => {
    const graph = use();
    await graph.page.emulateMedia({ reducedMotion: 'reduce' });
    await graph.show(forked);
    assert.equal(await graph.page.evaluate<number>('document.getAnimations().length'), 0);
  });
});

for (const theme of themeNames) {
  for (const width of [300, 900]) {
    describe(`the graph page in ${theme} at ${width} pixels`, () => {
      const use = useGraph(theme, { width, height: 600 });

      it('fits and can be read by everybody', async () => {
        const graph = use();
        await graph.tell(forked);
        await graph.answer((id) => `What ${id} says, in a sentence that is long enough to be cut`);
        await graph.row('m5').click({ modifiers: ['Control'] });
        const text = 'What m5 says,\nin full.';
        await graph.preview('m5', { text, isCut: false });
        await graph.screenshot(`${theme} ${width}`);
        await graph.page.evaluate(axe.source);
        const { violations } = await graph.page.evaluate<AxeResults>(
          "axe.run(document.querySelector('main'), { resultTypes: ['violations'] })",
        );
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        assert.deepEqual(
          serious.flatMap(({ id, nodes }) =>
            nodes.map(({ html, failureSummary }) => `${id} ${html.slice(0, 120)}: ${failureSummary ?? ''}`),
          ),
          [],
        );
        const wide = await graph.page.evaluate<number>(
          "document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth",
        );
        assert.ok(wide <= 0);
      });
    });
  }
}
