import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import { until } from '../../fixtures/until.ts';
import { askingCall, conversation, question, streaming } from './harness/conversations.ts';
import { coverOf, laidOut } from './harness/cover.ts';
import { useChat } from './harness/useChat.ts';

const box = '\\colorbox{white}{\\rule{18em}{10em}}';
const low = `\\smash{\\raisebox{-12em}{${box}}}`;
/** Takes no room, neither in the line nor below it. */
const lap = `\\rlap{${low}}`;

/** A white picture of any size. */
function picture(width: number, height: number): string {
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0], 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height, 255);
  for (let row = 0; row < height; row++) rows[row * (Math.ceil(width / 8) + 1)] = 0;
  const png = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head)];
  const bytes = Buffer.concat([...png, chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** What a model may write before and after its call; `reaches`: it would lie over the question if nothing held it. */
const attacks: Readonly<Record<string, { readonly text: string; readonly reaches: boolean }>> = {
  'a box of no height': { text: `so $${low}$ it is`, reaches: false },
  'a box of no height, standing alone': { text: `$$${low}$$`, reaches: false },
  'a box of no height and width': { text: `so $${lap}$ it is`, reaches: true },
  'a box of no height and width, standing alone': { text: `$$\\hspace{-9em}${lap}$$`, reaches: true },
  'a raised box': { text: `so $\\rlap{\\smash{\\raisebox{1em}{${box}}}}$ it is`, reaches: true },
  'a lowered box of one color': {
    text: `so $\\rlap{\\smash{\\raisebox{-12em}{\\colorbox{red}{\\rule{0.1em}{10em}\\hspace{18em}}}}}$ it is`,
    reaches: true,
  },
  'a box that reaches to the left': { text: `so $\\hspace{20em}\\llap{${low}}$ it is`, reaches: true },
  'a large negative kern': { text: `so $\\kern{20em}\\kern{-20em}${lap}$ it is`, reaches: true },
  'a large negative space': { text: `so $\\hspace{19em}\\hspace{-20em}${lap}$ it is`, reaches: true },
  // It leads out of the window.
  'negative spaces larger than all': {
    text: `so $\\hspace{-999999em}\\hspace{20em}${lap}\\kern{-999999em}$`,
    reaches: false,
  },
  'a lowered rule': { text: `so $\\smash{\\rule[-14em]{20em}{14em}}$ it is`, reaches: true },
  'a rule larger than all': {
    text: `so $\\rlap{\\smash{\\rule[-999999em]{999999em}{999999em}}}$ it is`,
    reaches: true,
  },
  // What is painted of letters outside of their line takes no clicks.
  'stacked accents': { text: `a${'\u0300\u0316\u035b'.repeat(300)}`, reaches: false },
  'a wide table': {
    text: `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n|${'wwwwwwwwwwww|'.repeat(60)}`,
    reaches: false,
  },
  'a high table': { text: `|a|\n|-|\n${'|b|\n'.repeat(200)}`, reaches: false },
  'a wide picture': { text: `![x](${picture(4_000, 20)})`, reaches: false },
  'a high picture': { text: `![x](${picture(300, 4_000)})`, reaches: false },
  'text that has no place to break': { text: 'W'.repeat(20_000), reaches: false },
  'lists in quotations in lists': { text: `${'- > '.repeat(9)}x`, reaches: false },
  'a fold that is open': {
    text: `<details open><summary>x</summary>\n\n${'y\n\n'.repeat(30)}`,
    reaches: false,
  },
};

/** Takes away what holds in what a model writes, and what holds a question above it. */
const UNCONTAINED = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(\`
    .markdown, .markdown *, .message, .tool-call, .tool-call * { contain: none !important; content-visibility: visible !important; }
    .markdown, .markdown *:not(code, pre) { overflow: visible !important; }
    .approval { position: static !important; z-index: auto !important; isolation: auto !important; }\`);
  document.adoptedStyleSheets = [sheet];
}`;

describe('what a model writes around a question for leave', () => {
  const use = useChat({ viewport: { width: 480, height: 900 } });
  const asking = (before: string, after = before) =>
    conversation([question('q1', 'why?')], {
      running: {
        ...streaming('a2'),
        parts: [{ type: 'text', text: before }, askingCall('ask-1'), { type: 'text', text: after }],
      },
    });

  for (const [what, { text, reaches }] of Object.entries(attacks)) {
    it(`lies over none of it, nor over the composer: ${what}`, async () => {
      const chat = use();
      await chat.show(asking(text));
      await laidOut(chat);
      const places = ['.tool-call.asking', '.composer'];
      for (const place of places) assert.deepEqual(await chat.page.evaluate(coverOf(place)), [], place);
      await chat.page.evaluate(UNCONTAINED);
      await chat.frame();
      const covers: unknown[] = [];
      for (const place of places) covers.push(...(await chat.page.evaluate<unknown[]>(coverOf(place))));
      assert.equal(covers.length > 0, reaches, 'without what contains it');
    });

    it(`moves it under no click: ${what}`, async () => {
      const chat = use();
      await chat.show(asking('So:', 'And:'));
      const armed = chat.page.locator('.approval-button[aria-disabled="false"]').first();
      await chat.letStand();
      await armed.waitFor();
      // Clicks in each frame in which it stands elsewhere than in the frame before, by the mouse.
      await chat.page.evaluate(`{
        const button = document.querySelector('.approval-button');
        let { top } = button.getBoundingClientRect();
        window.moves = 0;
        (function look() {
          const now = button.getBoundingClientRect().top;
          if (Math.abs(now - top) >= 3) {
            window.moves += 1;
            button.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
          }
          top = now;
          requestAnimationFrame(look);
        })();
      }`);
      await chat.delta('a2', `\n\n${text}\n\n${'more\n\n'.repeat(8)}`, 3);
      await until(() => chat.page.evaluate<boolean>('window.moves > 0'), 'it to move');
      await laidOut(chat);
      await chat.letStand();
      await armed.waitFor();
      assert.ok(!(await chat.sent()).some(({ type }) => type === 'answerApproval'));
      await chat.button('Deny').click();
      assert.equal((await chat.expect('answerApproval')).choice, 'deny');
    });
  }

  it('neither takes the keyboard to it, nor answers it, nor writes into the composer', async () => {
    const chat = use();
    const html = [
      '<button autofocus accesskey="a" onclick="x()">Allow Once</button>',
      '<input autofocus value="Allow Once"><textarea autofocus>text</textarea>',
      '<form><input type="submit" autofocus></form><label for="x">Allow</label>',
      '<a href="#approval" autofocus tabindex="1" accesskey="b">x</a>',
      '<details open autofocus><summary tabindex="1" autofocus>y</summary></details>',
      '<p id="root" class="approval approval-button" contenteditable autofocus>z</p>',
      '[x](#approval) <dialog open>d</dialog> <div popover>p</div> <meta http-equiv="refresh" content="0">',
    ].join('\n\n');
    await chat.show(asking(html));
    await chat.letStand();
    await chat.page.locator('.approval-button[aria-disabled="false"]').first().waitFor();
    const focused = await chat.page.evaluate<boolean>(
      "document.activeElement.closest('.tool-call, .markdown') !== null",
    );
    assert.equal(focused, false);
    const own = chat.page.locator(
      '.markdown :is(button, input, textarea, form, label, dialog, meta, [autofocus], [accesskey], [tabindex="1"], [id], [class*="approval"], [contenteditable], [popover])',
    );
    assert.deepEqual(await own.evaluateAll((all) => all.map((each) => each.outerHTML)), []);
    assert.equal(await chat.page.locator('.approval').count(), 1);
    for (const key of ['Enter', ' ', 'Alt+a', 'Alt+Shift+a']) await chat.page.keyboard.press(key);
    assert.ok(!(await chat.sent()).some(({ type }) => type === 'answerApproval'));
    assert.equal((await chat.input.inputValue()).trim(), '');
  });
});
