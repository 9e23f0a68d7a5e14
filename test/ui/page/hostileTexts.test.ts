import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { showState } from './harness/openState.ts';
import { pageStates } from './harness/states.ts';
import { useServedPage } from './harness/useServedPage.ts';

/** What would do something if anything but text were made of it, in each of the ways in which pages make things of texts. */
const HOSTILE = [
  '<img class="evil" src="x" onerror="window.broken = 1"><script class="evil">window.broken = 1</script>',
  '<a class="evil" href="command:evil">x</a><style class="evil">* { display: none !important }</style>',
  '[x](command:evil) [y](javascript:window.broken=1) ![z](https://evil.example/x.png) $(zap)',
  '"><svg class="evil" onload="window.broken=1">\' onfocus=window.broken=1 autofocus x=\'',
  '\u202e\u2066\u001b[31m${window.broken=1}{{constructor}}',
].join(' ');

/** Members of the host's messages that hold what others wrote. */
const TEXTS = [
  ...[
    'text',
    'title',
    'label',
    'preview',
    'goal',
    'model',
    'reason',
    'description',
    'message',
    'detail',
    'shown',
  ],
  ...[
    'command',
    'program',
    'path',
    'error',
    'summary',
    'report',
    'excerpt',
    'hint',
    'note',
    'question',
    'output',
  ],
  ...[
    'result',
    'from',
    'host',
    'language',
    'code',
    'before',
    'after',
    'oldText',
    'newText',
    'details',
    'progress',
  ],
  ...[
    'value',
    'filename',
    'folder',
    'who',
    'user',
    'url',
    'input',
    'task',
    'content',
    'file',
    'argumentHint',
  ],
];

/** Keeps what the host says. */
const RECORD = `
  window.told = [];
  addEventListener('message', ({ data }) => {
    if (typeof data === 'object' && data !== null && typeof data.type === 'string') window.told.push(data);
  });`;

/** Says all of it again, with hostile texts; what goes on where another text ended would fit to nothing. */
const SAY_AGAIN = `(() => {
  const texts = new Set(${JSON.stringify(TEXTS)});
  const hostile = ${JSON.stringify(HOSTILE)};
  let count = 0;
  const again = (value, key) => {
    if (Array.isArray(value)) return value.map((each) => again(each, key));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, again(member, name)]));
    if (typeof value !== 'string' || !texts.has(key)) return value;
    count += 1;
    return value + ' ' + hostile;
  };
  for (const message of [...window.told])
    if (message.offset === undefined && message.type !== 'reply') postMessage(again(message), '*');
  return count;
})()`;

const LOOK = `({
  evil: document.querySelectorAll(
    '.evil, [onerror], [onload], [onfocus], [autofocus], [href^="command:"], [href^="javascript:"], [src*="evil"]',
  ).length,
  broken: window.broken,
  isShown: getComputedStyle(document.body).display !== 'none' && document.body.innerText.trim() !== '',
})`;

/** Those where texts of all kinds are shown. */
const STATES: ReadonlySet<string> = new Set([
  ...[
    'talk',
    'markdown',
    'tools',
    'approval',
    'commands',
    'web pages',
    'reports and summaries',
    'compacted, opened',
  ],
  ...[
    'chat shared with others',
    'steps of an answer',
    'explore ended',
    'attachments',
    'file completion',
    'edits to review',
  ],
  ...['versions', 'alternatives', 'graph', 'queued messages'],
]);

/** Markup is read in a document of its own before it is cleaned, which has the policy of the page. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults = await page.evaluate<string[]>('window.faults');
  return faults.filter((fault) => fault !== 'policy: style-src-elem inline');
}

describe('texts that others wrote', () => {
  const use = useServedPage(
    { viewport: { width: 400, height: 700 }, script: RECORD, ownProcess: true },
    (page, origin) =>
      Promise.resolve({
        page,
        origin,
        faults: () => faultsOf(page),
        screenshot: () => Promise.resolve(),
      }),
  );

  it('stay texts in everything that the pages can show', async () => {
    const { page, origin } = use();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    let count = 0;
    const states = pageStates.filter(({ name }) => STATES.has(name));
    assert.equal(states.length, STATES.size);
    for (const state of states) {
      await showState(page, origin, state);
      const sent = await page.evaluate<number>('window.sent.length');
      count += await page.evaluate<number>(SAY_AGAIN);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.deepEqual(await page.evaluate(LOOK), { evil: 0, broken: undefined, isShown: true }, state.name);
      assert.deepEqual(await faultsOf(page), [], state.name);
      const said = await page.evaluate<{ type: string }[]>(`window.sent.slice(${sent})`);
      const acts = said.filter(({ type }) => /open|run|answer|allow|apply/iu.test(type));
      assert.deepEqual(acts, [], `${state.name}: nothing is done by itself`);
    }
    assert.ok(count > 200, `${count} texts`);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:')),
      [],
    );
  }).timeout(120_000);
});
